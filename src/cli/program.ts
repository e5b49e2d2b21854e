import { Command, CommanderError } from "commander";
import { InputError } from "../base/input-error.ts";
import type { MakeCommand } from "./command.ts";
import { EXIT, type ExitCode, exitCodeOf } from "./exit-code.ts";
import { jsonOption } from "./flags.ts";
import { helpOn } from "./help.ts";
import { mistakenFile, refuseFileAsCommand, refuseRemote } from "./mistaken-file.ts";
import { line, type Shell } from "./shell.ts";
import { versionLine } from "./version.ts";

/**
 * In the order of the help: what a newcomer needs first. Loaded on demand, since loading all
 * commands would take most of a short run's time.
 */
const COMMANDS: ReadonlyMap<string, () => Promise<MakeCommand>> = new Map([
  ["why", async () => (await import("./why.ts")).whyCommand],
  ["whatif", async () => (await import("./whatif.ts")).whatIfCommand],
  ["compare", async () => (await import("./compare.ts")).compareCommand],
  ["report", async () => (await import("./report.ts")).reportCommand],
  ["page", async () => (await import("./page.ts")).pageCommand],
  ["demo", async () => (await import("./demo.ts")).demoCommand],
  ["run", async () => (await import("./run.ts")).runCommand],
  ["simulate", async () => (await import("./simulate.ts")).simulateCommand],
  ["replay", async () => (await import("./replay.ts")).replayCommand],
  ["policies", async () => (await import("./policies.ts")).policiesCommand],
  ["reproduce", async () => (await import("./reproduce.ts")).reproduceCommand],
  ["resume", async () => (await import("./resume.ts")).resumeCommand],
  ["serve", async () => (await import("./serve.ts")).serveCommand],
  ["submit", async () => (await import("./submit.ts")).submitCommand],
  ["jobs", async () => (await import("./jobs.ts")).jobsCommand],
  ["kill", async () => (await import("./jobs.ts")).killCommand],
  ["doctor", async () => (await import("./doctor.ts")).doctorCommand],
  ["usage", async () => (await import("./usage.ts")).usageCommand],
]);

interface Commands {
  readonly make: readonly MakeCommand[];
  readonly addCompletion?: (program: Command) => void;
}

/** The command that is named first; all for help, for completion and for an unknown name. */
async function commandsFor([first = ""]: readonly string[]): Promise<Commands> {
  const named = COMMANDS.get(first);
  if (named !== undefined) return { make: [await named()] };
  const make = await Promise.all(Array.from(COMMANDS.values(), (load) => load()));
  const { addCompletion } = await import("./completion.ts");
  return { make, addCompletion };
}

/** Runs the command that the arguments name; returns the exit code of the process. */
export async function runProgram(args: readonly string[], shell: Shell): Promise<ExitCode> {
  let code: ExitCode = EXIT.ok;
  const [name = ""] = args;
  const commands = await commandsFor(args);
  const program = programFor(commands, shell, (ended) => {
    code = ended;
  });
  try {
    const isCommand = name === "help" || program.commands.some((each) => each.name() === name);
    if (!isCommand) refuseFileAsCommand(name);
    await program.parseAsync(args, { from: "user" });
    return code;
  } catch (error) {
    const operands = program.commands.find((each) => each.name() === name)?.args ?? [];
    print(mistakenFile(error, name, operands) ?? error, shell);
    return exitCodeOf(error);
  }
}

function programFor(
  { make, addCompletion }: Commands,
  shell: Shell,
  end: (code: ExitCode) => void,
): Command {
  const program = new Command("broomwagon")
    .description("MapReduce that sweeps up its stragglers: real jobs, simulated clusters.")
    .version(
      versionLine(),
      "-V, --version",
      "print the versions of broomwagon and Node, and the platform",
    )
    .addHelpText(
      "after",
      "\nExamples:\n  $ broomwagon why app-20261122-0001\n  $ broomwagon demo\n\n" +
        "`broomwagon why --help` describes one command.",
    )
    .showHelpAfterError("(--help lists commands and options)")
    .hook("preAction", (_, action) => refuseRemote(action.name(), action.args));
  for (const each of make) {
    const added = each(shell, end);
    if (added.options.some(({ short }) => short === "-o")) added.addOption(jsonOption());
    program.addCommand(added);
  }
  addCompletion?.(program);
  for (const each of [program, ...program.commands]) {
    helpOn(each.exitOverride(), shell);
  }
  return program;
}

/** Prints one line for the user's mistakes, and a stack only for our own. */
function print(error: unknown, shell: Shell): void {
  // Commander has printed the error already.
  if (error instanceof CommanderError) return;
  if (error instanceof InputError) line(shell.err, `error: ${error.message}`);
  else if (error instanceof Error) line(shell.err, `bug: ${error.stack ?? error.message}`);
  else line(shell.err, `bug: ${String(error)}`);
}
