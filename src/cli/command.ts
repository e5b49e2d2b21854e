import { Command } from "commander";
import type { ExitCode } from "./exit-code.ts";
import type { Shell } from "./shell.ts";

/** Adds a command to the program; the command reports its exit code through `end`. */
export type Register = (program: Command, shell: Shell, end: (code: ExitCode) => void) => void;

/** A new command whose help ends with an example. */
export function command(name: string, description: string, examples: readonly string[]): Command {
  const lines = examples.map((example) => `  $ broomwagon ${example}`);
  const title = examples.length === 1 ? "Example" : "Examples";
  return new Command(name)
    .description(description)
    .addHelpText("after", `\n${title}:\n${lines.join("\n")}`);
}
