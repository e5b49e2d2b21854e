import type { Ink } from "../../../src/cli/ink.ts";
import type { Shell, Sink } from "../../../src/cli/shell.ts";

/** A sink that remembers all text. */
export class Paper implements Sink {
  text = "";
  readonly isLive: boolean;
  readonly isTerminal: boolean;
  readonly ink: Ink;

  readonly #columns: number;

  constructor(isLive = false, columns = 100, ink: Ink = isLive ? "colour" : "none") {
    this.isLive = isLive;
    this.isTerminal = isLive;
    this.ink = ink;
    this.#columns = columns;
  }

  write(text: string): void {
    this.text += text;
  }

  async send(bytes: Uint8Array): Promise<void> {
    this.text += Buffer.from(bytes).toString();
  }

  columns(): number {
    return this.#columns;
  }

  rows(): number {
    return 12;
  }
}

export interface PaperShell extends Shell {
  readonly out: Paper;
  readonly err: Paper;
}

export const paperShell = (columns = 100): PaperShell => ({
  out: new Paper(false, columns),
  err: new Paper(false, columns),
  listenForCtrlC: () => new AbortController().signal,
});

/** What a terminal shows after the text: understands the sequences that the live display uses. */
export function screenOf(text: string): readonly string[] {
  const lines: string[] = [""];
  let row = 0;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern reads escape sequences.
  for (const [token] of text.matchAll(/\u001b\[[?\d]*[a-zA-Z]|\r|\n|[^\u001b\r\n]+/g)) {
    if (token === "\n") {
      row += 1;
      lines[row] ??= "";
    } else if (token.endsWith("A")) row -= Number(token.slice(2, -1));
    else if (token === "\u001b[2K") lines[row] = "";
    else if (token === "\u001b[J") lines.splice(row, lines.length, "");
    else if (!token.startsWith("\u001b") && token !== "\r") lines[row] = (lines[row] ?? "") + token;
    if (row < 0) throw new Error("drew above the screen");
  }
  return lines.filter((line, index) => line !== "" || index < lines.length - 1);
}
