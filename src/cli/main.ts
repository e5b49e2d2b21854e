import { forkEarly } from "../hosts/engine/master/fork-node.ts";
import { EXIT } from "./exit-code.ts";
import { sinkOf } from "./shell.ts";

const args = process.argv.slice(2);
const isElsewhere = args.includes("yarn") || args.includes("--on=yarn");
if (args[0] === "run" && !args.includes("--help") && !isElsewhere) forkEarly();
// Everything else is read while that process begins.
const { runProgram } = await import("./program.ts");

/**
 * One Ctrl-C may arrive twice, from the terminal and passed on by npx; a second later it is
 * another.
 */
const ANOTHER_AFTER_MS = 1_000;

const interruption = new AbortController();
let interruptedAt: number | undefined;

function interrupt(): void {
  if (interruptedAt === undefined) {
    interruptedAt = performance.now();
    interruption.abort();
  } else if (performance.now() - interruptedAt > ANOTHER_AFTER_MS) {
    // A second Ctrl-C does not wait.
    process.exit(EXIT.interrupted);
  }
}

/** Until a command asks, Ctrl-C ends the process at once, even while it computes. */
function listenForCtrlC(): AbortSignal {
  for (const name of ["SIGINT", "SIGTERM"] as const) {
    if (!process.listeners(name).includes(interrupt)) process.on(name, interrupt);
  }
  return interruption.signal;
}

// `broomwagon policies | head` closes the pipe: that is no error.
let unwritten: NodeJS.ErrnoException | undefined;
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(EXIT.ok);
  // The command fails, and keeps what it could not write.
  unwritten ??= error;
});

const ended = await runProgram(args, {
  out: sinkOf(process.stdout, process.env),
  err: sinkOf(process.stderr, process.env),
  listenForCtrlC,
});
// It may be known only later that what was written last has no room.
function codeNow(): number {
  if (unwritten === undefined || ended !== EXIT.ok) return ended;
  process.stderr.write(`error: standard output: ${unwritten.message}\n`);
  return EXIT.failed;
}

// After what was written has left, since a pipe may still be draining.
process.stdout.write("", () => process.exit(codeNow()));
