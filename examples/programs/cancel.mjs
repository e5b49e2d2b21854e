// Gives up a run that takes too long: no process and no output is left.
import { defineJob, RunError, run } from "broomwagon";

const [, , input = "docs/*.md"] = process.argv;

const slow = defineJob({
  map(line) {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_000);
    return [[line, 1]];
  },
});

try {
  await run(slow, { input, output: "never", signal: AbortSignal.timeout(500) });
} catch (error) {
  if (!(error instanceof RunError)) throw error;
  console.log(`${error.message}: ${error.cause.name}`);
  console.log(`outcome: ${error.result.outcome}`);
}
