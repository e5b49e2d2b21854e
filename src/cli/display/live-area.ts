import { stripVTControlCharacters } from "node:util";
import type { Sink } from "../shell.ts";
import { visibleLength } from "../table.ts";

const HIDE_CURSOR = "\u001b[?25l";
const SHOW_CURSOR = "\u001b[?25h";
const CLEAR_LINE = "\u001b[2K";
const CLEAR_BELOW = "\u001b[J";

/** The last lines of a terminal, redrawn in place. */
export class LiveArea {
  readonly #sink: Sink;
  #drawn = 0;

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  /**
   * Replaces the previous lines. Lines that do not fit on the screen are left out. The cursor is
   * hidden only during the drawing, so that the terminal has it back however the process ends.
   */
  draw(lines: readonly string[]): void {
    const width = this.#sink.columns() - 1;
    const shown = lines.slice(0, Math.max(1, this.#sink.rows() - 1));
    const text = shown.map((line) => `${CLEAR_LINE}${cut(line, width)}\n`).join("");
    this.#sink.write(`${HIDE_CURSOR}${this.#toTop()}${text}${CLEAR_BELOW}${SHOW_CURSOR}`);
    this.#drawn = shown.length;
  }

  /** Takes the last drawing off the screen. */
  clear(): void {
    this.#sink.write(`${this.#toTop()}${CLEAR_BELOW}`);
    this.#drawn = 0;
  }

  /** Leaves the last drawing on the screen. */
  end(): void {
    this.#drawn = 0;
  }

  #toTop(): string {
    return this.#drawn === 0 ? "" : `\u001b[${this.#drawn}A\r`;
  }
}

/** A line that is cut loses its colours along with its end. */
function cut(line: string, width: number): string {
  if (visibleLength(line) <= width) return line;
  return `${stripVTControlCharacters(line).slice(0, width - 1)}…`;
}
