import { InputError } from "../base/input-error.ts";

/**
 * Counts what a reader keeps in memory, by its name: a log without end, as of a stream, must not
 * take all of it.
 */
export class Bound {
  readonly #place: string;
  readonly #max: number;
  readonly #counts = new Map<string, number>();

  /** `place`: the file's name, for errors. */
  constructor(place: string, max: number) {
    this.#place = place;
    this.#max = max;
  }

  /** InputError beyond the bound. */
  count(what: string, more = 1): void {
    const count = (this.#counts.get(what) ?? 0) + more;
    this.#counts.set(what, count);
    if (count <= this.#max) return;
    const expected = `expected at most ${this.#max} ${what}, which are kept in memory`;
    throw new InputError("bad-input", this.#place, `${expected}: read the log in parts`);
  }
}
