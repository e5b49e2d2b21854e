import { PolicyChild } from "./child.ts";
import { type JobPolicies, jobPolicies, NO_OWN_POLICIES, policiesNamedIn } from "./job-policies.ts";

/**
 * The policies' process in a job's ApplicationMaster: JSON lines in, JSON lines out, see
 * docs/internals/yarn-protocol.md. The process ends with its input.
 */
const { stdin, stdout, stderr } = process;
let policies: JobPolicies = NO_OWN_POLICIES;
let isOver = false;
const child = new PolicyChild(
  (line) => stdout.write(`${line}\n`),
  (text) => stderr.write(`broomwagon: ${text}\n`),
  () => policies(),
);

function end(): void {
  if (isOver) return;
  isOver = true;
  child.end();
  stdin.destroy();
}

/** The whole lines in their order; the beginning of an incomplete line is left out. */
async function* wholeLines(): AsyncGenerator<string, void, undefined> {
  let rest = "";
  for await (const text of stdin) {
    const lines = `${rest}${text}`.split("\n");
    rest = lines.pop() ?? "";
    yield* lines.filter((line) => line !== "");
  }
}

async function follow(): Promise<void> {
  for await (const line of wholeLines()) {
    const directory = policiesNamedIn(line);
    // The line that names the user's policies, and all lines behind it, wait for their import.
    if (directory !== undefined) policies = await jobPolicies(directory);
    if (isOver) return;
    child.take(line);
  }
}

// Whatever the error is, the job goes on without policies; the journal shows what led to the error.
process.on("uncaughtException", (error) => {
  stderr.write(`broomwagon: ${error.stack ?? error.message}\n`);
  process.exitCode = 1;
  end();
});
stdin.setEncoding("utf8");
stdin.on("error", end);
// The ApplicationMaster was killed; the end of the input says so too.
stdout.on("error", end);
process.once("SIGTERM", end);
follow().then(end, (error: unknown) => {
  // An input that is closed ends the loop with an error of its own.
  if (!isOver) throw error;
});
