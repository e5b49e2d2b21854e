import { FNV_BASIS, fnv1a } from "../../base/fnv.ts";
import { InputError } from "../../base/input-error.ts";

/**
 * The most lines between two seals of a sealed journal. A seal is a line of its own, `{"check":
 * [lines, sum]}`: the number of the lines above it and their chained checksum. Seals expose lines
 * that were removed, added or changed. All but the last few lines are sealed at any time, even when
 * the writer is killed.
 */
const SEALED_LINES = 32;

/** The checksum of the lines written until now, seals included. */
export class Seal {
  #lines = 0;
  #sum = FNV_BASIS;
  /** Lines since the last seal. */
  #open = 0;

  /**
   * The lines to write for `line`: the line itself, with the seal that is due after it or before
   * it.
   */
  write(line: string): readonly string[] {
    // When a writer continues a file, the file may have been cut just before a seal.
    const before = this.#isDue ? [this.close()] : [];
    this.add(line);
    return [...before, line, ...(this.#isDue ? [this.close()] : [])];
  }

  /** Counts a line that the file already holds. */
  add(line: string): void {
    this.#lines++;
    this.#open++;
    this.#sum = fnv1a("\n", fnv1a(line, this.#sum));
  }

  /** Whether there are lines after the last seal. */
  get isOpen(): boolean {
    return this.#open > 0;
  }

  /** The seal of the lines above, to be written next. */
  close(): string {
    const line = JSON.stringify({ check: [this.#lines, this.#sum.toString(16).padStart(8, "0")] });
    this.add(line);
    this.#open = 0;
    return line;
  }

  /**
   * Checks a line that was read, as `write` or `close` counted it when it was written. Throws an
   * InputError if a seal does not match the lines above it, or is missing. `place`: the file.
   */
  read(text: string, place: string): void {
    const here = `${place}:${this.#lines + 1}`;
    if (!isSeal(text)) {
      if (this.#isDue) throw damaged(here, `expected a check after ${SEALED_LINES} lines`);
      this.add(text);
      return;
    }
    const from = this.#lines - this.#open + 1;
    const [found, lines] = [this.#lines, linesIn(text)];
    if (text === this.close()) return;
    throw damaged(
      here,
      lines === found
        ? `lines ${from} to ${found} are not what was written`
        : `expected ${lines} lines above, found ${found}: some are missing or do not belong there`,
    );
  }

  get #isDue(): boolean {
    return this.#open >= SEALED_LINES;
  }
}

/** Whether the line of a sealed journal is a seal. */
export const isSeal = (text: string): boolean => text.startsWith('{"check":[');

const linesIn = (text: string): number => Number(/^\{"check":\[(\d+)/.exec(text)?.[1]);

const damaged = (place: string, problem: string): InputError =>
  new InputError("bad-journal", place, `the journal is damaged: ${problem}`);
