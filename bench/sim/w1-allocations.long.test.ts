import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { rolldown } from "rolldown";
import { afterAll, beforeAll, expect, test } from "vitest";

/** What a simulated task may allocate, all layers together; about a seventh more than it does. */
const BYTES_PER_TASK_MAX = 1_650;

const directory = mkdtempSync(join(tmpdir(), "broomwagon-w1-"));
const script = join(directory, "w1-run.mjs");

beforeAll(async () => {
  const bundle = await rolldown({
    input: "bench/sim/w1-run.ts",
    platform: "node",
    logLevel: "silent",
  });
  await bundle.write({ file: script, codeSplitting: false });
});

afterAll(() => rmSync(directory, { recursive: true }));

/**
 * A process of its own, and a compiler that works on the same thread: code is compiled at the same
 * points of each run, so that the count does not depend on the machine or its load.
 */
test(`the whole simulator allocates at most ${BYTES_PER_TASK_MAX} bytes a task`, () => {
  const args = ["--no-concurrent-recompilation", script, "S", "full"];
  const printed = JSON.parse(execFileSync(process.execPath, args, { encoding: "utf8" }));
  const { allocatedBytes, tasks } = printed;
  expect(tasks).toBe(100_000);
  expect(allocatedBytes / tasks).toBeLessThan(BYTES_PER_TASK_MAX);
  // A count that misses what is garbage soon would be far below this.
  expect(allocatedBytes / tasks).toBeGreaterThan(500);
});
