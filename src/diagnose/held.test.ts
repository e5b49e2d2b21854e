import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { readTrace } from "../trace/index.ts";
import { diagnose } from "./why.ts";

// The reduce starts when a few maps have ended, and waits for the others.
test("a reduce's wait for the maps is kept apart from its expected time", () => {
  const trace = readTrace([gunzipSync(readFileSync("fixtures/pairs/engine/none.ndjson.gz"))]);
  const job = trace.jobs[0];
  if (job === undefined) throw new Error("the history holds a job");
  const found = diagnose(trace, job, { intervals: false, audit: false });
  if (found.kind !== "why") throw new Error("the job is diagnosed");
  const [maps, reduces] = job.phases;
  const [ofMaps, ofReduces] = found.phases;
  const lastMap = Math.max(...(maps?.attempts.endedAt ?? []));
  expect([...(ofMaps?.heldMs ?? [])].every(Number.isNaN)).toBe(true);
  for (const [i, startedAt] of (reduces?.attempts.startedAt ?? []).entries()) {
    const held = ofReduces?.heldMs[i] ?? 0;
    if (startedAt > lastMap) expect(held).toBeNaN();
    else expect(startedAt + held).toBeCloseTo(lastMap, -3);
  }
  expect(reduces?.attempts.startedAt.some((at) => at < lastMap)).toBe(true);
});
