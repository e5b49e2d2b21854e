import { cell } from "../../base/rows.ts";

const ROOM_MIN = 1_024;
/** Ids are counted from 0, so that one far above all others is none of Spark's. */
const DENSE_MAX = 1 << 26;

/** The row of each task that has ended, by its id: four bytes for each id. */
export class TaskRows {
  /** The row plus 1; 0 without one. */
  #rows = new Int32Array(ROOM_MIN);
  readonly #far = new Map<number, number>();
  #size = 0;
  #most = -1;

  /** -1 if there is none. */
  find(id: number): number {
    if (isDense(id)) return id < this.#rows.length ? cell(this.#rows[id]) - 1 : -1;
    return this.#far.get(id) ?? -1;
  }

  set(id: number, row: number): void {
    if (this.find(id) < 0) this.#size += 1;
    this.#most = Math.max(this.#most, id);
    if (!isDense(id)) {
      this.#far.set(id, row);
      return;
    }
    if (id >= this.#rows.length) {
      const longer = new Int32Array(Math.max(2 * this.#rows.length, id + 1));
      longer.set(this.#rows);
      this.#rows = longer;
    }
    this.#rows[id] = row + 1;
  }

  /** How many ids have a row. */
  get size(): number {
    return this.#size;
  }

  /** The highest id; -1 without any. */
  get most(): number {
    return this.#most;
  }

  /** By their ids; those far above the others are none of Spark's, and left out. */
  *rows(): Generator<number, void> {
    for (const row of this.#rows.subarray(0, this.#most + 1)) if (row > 0) yield row - 1;
  }
}

const isDense = (id: number): boolean => Number.isInteger(id) && id >= 0 && id < DENSE_MAX;
