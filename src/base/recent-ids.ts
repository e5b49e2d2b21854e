const ROOM_MIN = 64;
const NONE = -1;

/**
 * A number of at least 0 for each of some dense, rising ids, most of which are soon deleted. The
 * latest ids share a ring, one cell each; an id that outlives a whole round of the ring moves to a
 * map. Memory is in proportion to the ids present.
 */
export class RecentIds {
  #ids = new Int32Array(ROOM_MIN).fill(NONE);
  #values = new Int32Array(ROOM_MIN);
  readonly #old = new Map<number, number>();
  #size = 0;

  /** The id's number, or -1 if there is none. */
  find(id: number): number {
    const at = id & (this.#ids.length - 1);
    if (this.#ids[at] === id) return this.#values[at]!;
    return this.#old.size === 0 ? NONE : (this.#old.get(id) ?? NONE);
  }

  /** Call once for each id. */
  add(id: number, value: number): void {
    this.#size += 1;
    if (this.#size * 2 > this.#ids.length) this.#grow();
    this.#put(id, value);
  }

  delete(id: number): void {
    const at = id & (this.#ids.length - 1);
    if (this.#ids[at] === id) this.#ids[at] = NONE;
    else if (!this.#old.delete(id)) return;
    this.#size -= 1;
  }

  #put(id: number, value: number): void {
    const at = id & (this.#ids.length - 1);
    const before = this.#ids[at]!;
    if (before !== NONE) this.#old.set(before, this.#values[at]!);
    this.#ids[at] = id;
    this.#values[at] = value;
  }

  #grow(): void {
    const ids = this.#ids;
    const values = this.#values;
    const present = Array.from(ids.keys()).filter((at) => ids[at] !== NONE);
    present.sort((a, b) => ids[a]! - ids[b]!);
    this.#ids = new Int32Array(ids.length * 2).fill(NONE);
    this.#values = new Int32Array(ids.length * 2);
    for (const at of present) this.#put(ids[at]!, values[at]!);
  }
}
