import { expect, test } from "vitest";
import { against } from "../../src/diagnose/compare/against.ts";
import { againstText } from "../../src/diagnose/compare/against-text.ts";
import type { Run } from "../../src/diagnose/compare/compare.ts";
import { diagnose } from "../../src/diagnose/why.ts";
import { openTrace } from "../../src/trace/open/open-trace.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { type Changed, writeRun } from "./support/changed-runs.ts";

const folder = temporaryDirectory();

async function runOf(seed: number, changed?: Changed): Promise<Run> {
  const file = writeRun(folder, { seed, ...(changed !== undefined && { changed }) });
  const trace = await openTrace(file);
  const [job] = trace.jobs;
  if (job === undefined) throw new Error(`${file} has no job`);
  const found = diagnose(trace, job, { intervals: false, audit: false });
  if (found.kind !== "why") throw new Error(`${file} has no diagnosis`);
  return { job, why: found.why };
}

const good = await Promise.all(Array.from({ length: 10 }, (_, n) => runOf(n + 1)));

const firstLine = (run: Run): string => againstText(against(good, run))[0] ?? "";

/** What the first line says after the numbers of the response. */
const SAID: readonly (readonly [Changed, RegExp])[] = [
  [
    "more-tasks",
    /: usual work \+[\d.]+ s \(1\.50 times the attempts, 1\.\d\d times the input bytes\)/,
  ],
  ["larger-tasks", /: usual work \+[\d.]+ s \(1\.[78]\d times the input bytes\)/],
  ["fewer-nodes", /: usual work \+[\d.]+ s \(0\.6\d times the slots\)/],
  ["fewer-cores", /: usual work \+[\d.]+ s \(0\.50 times the slots\)/],
  ["slow-node", /: slow node \+[\d.]+ s \(n3\)\.$/],
  ["skew", /: input bytes \+[\d.]+ s \(a task with [\d.]+ times its peers' input\)\.$/],
  ["driver", /: driver alone \+[\d.]+ s\.$/],
  ["failures", /: retries \+[\d.]+ s\.$/],
  ["gc", /: garbage collection \+[\d.]+ s\.$/],
];

test.each(SAID)(
  "beside ten good runs, the first line names what was done: %s",
  async (changed, said) => {
    for (const seed of [50, 51, 52]) expect(firstLine(await runOf(seed, changed))).toMatch(said);
  },
);

test("a run like the good ones has no such reason of weight", async () => {
  for (const seed of [70, 71, 72, 73]) {
    const run = await runOf(seed);
    const { response, causes } = against(good, run);
    expect(Math.abs(response.change)).toBeLessThan(0.05 * response.medianOfGood);
    for (const { change } of causes) {
      expect(Math.abs(change)).toBeLessThan(0.06 * response.medianOfGood);
    }
    expect(firstLine(run)).not.toMatch(/slots|attempts|input|n\d/);
  }
});
