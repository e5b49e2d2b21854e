/** Stands for the row of no attempt. */
export const NO_ROW = -1;

/**
 * The rows of the running attempts of a phase's launched tasks without records, by the task's index
 * in the phase. Only this file knows how they are kept.
 */
export class SoleRows {
  readonly #rows: Int32Array;

  /** `size`: the number of the phase's tasks. */
  constructor(size: number) {
    this.#rows = new Int32Array(size).fill(NO_ROW);
  }

  /** NO_ROW if the task has a record, or does not run. */
  at(index: number): number {
    return this.#rows[index] ?? NO_ROW;
  }

  enter(index: number, row: number): void {
    this.#rows[index] = row;
  }

  remove(index: number): void {
    this.#rows[index] = NO_ROW;
  }

  /** The rows that are there, by index. COST: O(tasks of the phase). */
  list(): readonly number[] {
    return Array.from(this.#rows.filter((row) => row !== NO_ROW));
  }
}
