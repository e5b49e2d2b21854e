import { PolicyChild } from "./child.ts";
import { HeldLines } from "./held-lines.ts";

/**
 * The policies' process in a job's ApplicationMaster: JSON lines in, JSON lines out, see
 * docs/internals/yarn-protocol.md. The process ends with its input.
 */
const { stdin, stdout, stderr } = process;
const lines = new HeldLines((line) => {
  if (!isOver) child.take(line);
});
const child = new PolicyChild(
  (line) => stdout.write(`${line}\n`),
  (text) => stderr.write(`broomwagon: ${text}\n`),
  () => lines.policies(),
);

/** The beginning of an incomplete line. */
let rest = "";
let isOver = false;

function end(): void {
  if (isOver) return;
  isOver = true;
  child.end();
  stdin.destroy();
}

function takeLines(text: string): void {
  const whole = `${rest}${text}`.split("\n");
  rest = whole.pop() ?? "";
  for (const line of whole) if (!isOver && line !== "") lines.take(line);
}

// Whatever the error is, the job goes on without policies; the journal shows what led to the error.
process.on("uncaughtException", (error) => {
  stderr.write(`broomwagon: ${error.stack ?? error.message}\n`);
  process.exitCode = 1;
  end();
});
stdin.setEncoding("utf8");
stdin.on("data", takeLines);
stdin.on("end", () => lines.end(end));
stdin.on("error", end);
// The ApplicationMaster was killed; the end of the input says so too.
stdout.on("error", end);
process.once("SIGTERM", end);
