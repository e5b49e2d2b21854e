import { readFileSync } from "node:fs";
import { Command, CommanderError } from "commander";
import { InputError } from "../base/input-error.ts";
import { registerDemo } from "./demo.ts";
import { EXIT, type ExitCode, exitCodeOf } from "./exit-code.ts";
import { registerPolicies } from "./policies.ts";
import { registerReplay } from "./replay.ts";
import { registerReproduce } from "./reproduce.ts";
import { registerRun } from "./run.ts";
import { line, type Shell } from "./shell.ts";
import { registerSimulate } from "./simulate.ts";

const COMMANDS = [
  registerDemo,
  registerRun,
  registerSimulate,
  registerPolicies,
  registerReplay,
  registerReproduce,
];

/** Runs the command that the arguments name; the process should end with the code. */
export async function runProgram(args: readonly string[], shell: Shell): Promise<ExitCode> {
  let code: ExitCode = EXIT.ok;
  const program = programFor(shell, (ended) => {
    code = ended;
  });
  try {
    await program.parseAsync(args, { from: "user" });
    return code;
  } catch (error) {
    tell(error, shell);
    return exitCodeOf(error);
  }
}

function programFor(shell: Shell, end: (code: ExitCode) => void): Command {
  const program = new Command("broomwagon")
    .description("MapReduce that sweeps up its stragglers: real jobs, simulated clusters.")
    .version(version(), "-V, --version")
    .addHelpText(
      "after",
      "\nExample:\n  $ broomwagon demo\n\nhelp for one command: broomwagon run --help",
    )
    .showHelpAfterError("(--help tells what there is)");
  for (const register of COMMANDS) register(program, shell, end);
  for (const each of [program, ...program.commands]) {
    each.exitOverride().configureOutput({
      writeOut: (text) => shell.out.write(text),
      writeErr: (text) => shell.err.write(text),
      getOutHelpWidth: () => shell.out.columns(),
      getErrHelpWidth: () => shell.err.columns(),
    });
  }
  return program;
}

/** One line for the user's mistakes; a stack only for ours. */
function tell(error: unknown, shell: Shell): void {
  // Commander has told it already.
  if (error instanceof CommanderError) return;
  if (error instanceof InputError) line(shell.err, `error: ${error.message}`);
  else if (error instanceof Error) line(shell.err, `bug: ${error.stack ?? error.message}`);
  else line(shell.err, `bug: ${String(error)}`);
}

function version(): string {
  const manifest: unknown = JSON.parse(
    readFileSync(new URL("../../package.json", import.meta.url), "utf8"),
  );
  const isNamed = typeof manifest === "object" && manifest !== null && "version" in manifest;
  return isNamed ? String(manifest.version) : "unknown";
}
