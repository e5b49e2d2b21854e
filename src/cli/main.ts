import { forkEarly } from "../hosts/engine/master/fork-node.ts";
import { EXIT } from "./exit-code.ts";
import { sinkOf } from "./shell.ts";

const args = process.argv.slice(2);
const isElsewhere = args.includes("yarn") || args.includes("--on=yarn");
if (args[0] === "run" && !args.includes("--help") && !isElsewhere) forkEarly();
// The first node's process starts while the rest of the program loads.
const { runProgram } = await import("./program.ts");

/**
 * One Ctrl-C may arrive twice, from the terminal and through npx; a signal more than a second later
 * counts as a new one.
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

/**
 * Until a command calls this function, Ctrl-C ends the process at once, even during a computation.
 */
function listenForCtrlC(): AbortSignal {
  for (const name of ["SIGINT", "SIGTERM"] as const) {
    if (!process.listeners(name).includes(interrupt)) process.on(name, interrupt);
  }
  return interruption.signal;
}

// `broomwagon policies | head` closes the pipe, which is no error.
let unwritten: NodeJS.ErrnoException | undefined;
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(EXIT.ok);
  // The command fails, and the error is reported at its end.
  unwritten ??= error;
});

const ended = await runProgram(args, {
  out: sinkOf(process.stdout, process.env),
  err: sinkOf(process.stderr, process.env),
  listenForCtrlC,
});
// A failed write, as on a full disk, may be reported only after the command has ended.
function codeNow(): number {
  if (unwritten === undefined || ended !== EXIT.ok) return ended;
  process.stderr.write(`error: standard output: ${unwritten.message}\n`);
  return EXIT.failed;
}

// Exits when all output has been written, since a pipe may still be draining.
process.stdout.write("", () => process.exit(codeNow()));
