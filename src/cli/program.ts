import { Command, CommanderError } from "commander";
import { InputError } from "../base/input-error.ts";
import type { Register } from "./command.ts";
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
const COMMANDS: ReadonlyMap<string, () => Promise<Register>> = new Map([
  ["why", async () => (await import("./why.ts")).registerWhy],
  ["whatif", async () => (await import("./whatif.ts")).registerWhatIf],
  ["compare", async () => (await import("./compare.ts")).registerCompare],
  ["report", async () => (await import("./report.ts")).registerReport],
  ["page", async () => (await import("./page.ts")).registerPage],
  ["demo", async () => (await import("./demo.ts")).registerDemo],
  ["run", async () => (await import("./run.ts")).registerRun],
  ["simulate", async () => (await import("./simulate.ts")).registerSimulate],
  ["replay", async () => (await import("./replay.ts")).registerReplay],
  ["policies", async () => (await import("./policies.ts")).registerPolicies],
  ["reproduce", async () => (await import("./reproduce.ts")).registerReproduce],
  ["resume", async () => (await import("./resume.ts")).registerResume],
  ["serve", async () => (await import("./serve.ts")).registerServe],
  ["submit", async () => (await import("./submit.ts")).registerSubmit],
  ["jobs", async () => (await import("./jobs.ts")).registerJobs],
  ["kill", async () => (await import("./jobs.ts")).registerKill],
  ["doctor", async () => (await import("./doctor.ts")).registerDoctor],
  ["usage", async () => (await import("./usage.ts")).registerUsage],
  ["completion", async () => (await import("./completion.ts")).registerCompletion],
]);

/** The command that is named first; all for help, for completion and for an unknown name. */
async function commandsFor([first = ""]: readonly string[]): Promise<readonly Register[]> {
  const named = first === "completion" ? undefined : COMMANDS.get(first);
  return Promise.all(
    (named === undefined ? [...COMMANDS.values()] : [named]).map((load) => load()),
  );
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
  commands: readonly Register[],
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
  for (const register of commands) {
    register(program, shell, end);
    const added = program.commands.at(-1);
    if (added?.options.some(({ short }) => short === "-o")) added.addOption(jsonOption());
  }
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
