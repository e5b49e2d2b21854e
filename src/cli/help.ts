import type { Command, HelpConfiguration } from "commander";
import type { Shell } from "./shell.ts";
import { hanging, pad, wrap } from "./table.ts";

/** Descriptions that would get less room than this beside their terms stand below them. */
const DESCRIPTION_MIN = 30;

/** Help and messages go to the shell, at its width. */
export function helpOn(command: Command, shell: Shell): void {
  command.configureHelp(WRAPPED).configureOutput({
    writeOut: (text) => shell.out.write(text),
    writeErr: (text) => shell.err.write(text),
    getOutHelpWidth: () => shell.out.columns(),
    getErrHelpWidth: () => shell.err.columns(),
  });
}

const WRAPPED: HelpConfiguration = {
  boxWrap: (text, width) => wrap(text, width).join("\n"),
  formatItem(term, termWidth, description) {
    const width = this.helpWidth ?? 80;
    const start = `  ${pad(term, termWidth, "left")}  `;
    if (description === "") return `  ${term}`;
    if (width - start.length >= DESCRIPTION_MIN)
      return hanging(start, description, width).join("\n");
    return [`  ${term}`, ...wrap(description, width - 6).map((text) => `      ${text}`)].join("\n");
  },
};

const GLUE = "\u00a0";

/** The examples at the end of a help; lines that continue end in a backslash. */
export function examplesText(examples: readonly string[], width: number): string {
  const title = examples.length === 1 ? "Example" : "Examples";
  const lines = examples.map((example) => {
    // A flag stays with its value.
    const glued = example.replace(/(?<= )(--?\S+) (?=[^-])/g, `$1${GLUE}`);
    const parts = wrap(`$ broomwagon ${glued}`, width - 8);
    return parts
      .map((part, index) => `${index === 0 ? "  " : "      "}${part.replaceAll(GLUE, " ")}`)
      .join(" \\\n");
  });
  return `\n${title}:\n${lines.join("\n")}`;
}
