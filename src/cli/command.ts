import { Command } from "commander";
import type { ExitCode } from "./exit-code.ts";
import { examplesText } from "./help.ts";
import type { Shell } from "./shell.ts";

/** Makes a command, which reports its exit code through `end`. */
export type MakeCommand = (shell: Shell, end: (code: ExitCode) => void) => Command;

/** A new command whose help ends with an example. */
export function command(name: string, description: string, examples: readonly string[]): Command {
  const widthOf = (of: Command): number => of.configureOutput().getOutHelpWidth?.() ?? 80;
  return new Command(name)
    .description(description)
    .addHelpText("after", ({ command: of }) => examplesText(examples, widthOf(of)));
}
