import { describe, expect, test } from "vitest";
import { diagnose } from "../../src/diagnose/why.ts";
import { openTrace } from "../../src/trace/open/open-trace.ts";

const PATHS = [
  "fixtures/hadoop/json.jhist",
  "fixtures/spark/two-workers.ndjson",
  "fixtures/pairs/hadoop/none.jhist.gz",
];

async function partsOf(path: string, intervals: boolean) {
  const trace = await openTrace(path);
  const [job] = trace.jobs;
  if (job === undefined) throw new Error("no job");
  const found = diagnose(trace, job, { intervals, audit: false });
  if (found.kind !== "why") throw new Error(found.kind);
  return found.why;
}

describe.each(PATHS)("the parts of the usual time of %s", (path) => {
  test("add up, and lie in intervals within the response", async () => {
    const { parts, usualMs, responseMs } = await partsOf(path, true);
    expect(parts.reduce((sum, { ms }) => sum + ms, 0)).toBeCloseTo(usualMs, 3);
    for (const { ms, lowMs = Number.NaN, highMs = Number.NaN } of parts) {
      expect(lowMs).toBeGreaterThanOrEqual(0);
      expect(lowMs).toBeLessThanOrEqual(ms);
      expect(ms).toBeLessThanOrEqual(highMs);
      expect(highMs).toBeLessThanOrEqual(responseMs);
    }
    const work = parts.find(({ part }) => part === "work");
    expect(work?.highMs).toBeGreaterThan(work?.lowMs ?? Number.NaN);
  });

  test("are the same without intervals", async () => {
    const [withThem, without] = [await partsOf(path, true), await partsOf(path, false)];
    const plain = withThem.parts.map(({ lowMs: _low, highMs: _high, ...row }) => row);
    expect(without.parts).toEqual(plain);
  });
});
