const ROOM_MIN = 64;
const NONE = -1;

// A cell of the ring: the id, then its number, side by side in memory.
const CELL = 2;

const emptyRing = (cells: number): Int32Array => new Int32Array(CELL * cells).fill(NONE);

/**
 * A number of at least 0 for each of some dense, rising ids, most of which are soon deleted. The
 * latest ids share a ring, one cell each; an id that outlives a whole round of the ring moves to a
 * map. Memory is in proportion to the ids present.
 */
export class RecentIds {
  #ring = emptyRing(ROOM_MIN);
  readonly #old = new Map<number, number>();
  #size = 0;

  /** The id's number, or -1 if there is none. */
  find(id: number): number {
    const at = this.#at(id);
    if (this.#ring[at] === id) return this.#ring[at + 1]!;
    return this.#old.size === 0 ? NONE : (this.#old.get(id) ?? NONE);
  }

  /** Call once for each id. */
  add(id: number, value: number): void {
    this.#size += 1;
    if (this.#size * 2 * CELL > this.#ring.length) this.#grow();
    this.#put(id, value);
  }

  delete(id: number): void {
    const at = this.#at(id);
    if (this.#ring[at] === id) this.#ring[at] = NONE;
    else if (!this.#old.delete(id)) return;
    this.#size -= 1;
  }

  #put(id: number, value: number): void {
    const at = this.#at(id);
    const before = this.#ring[at]!;
    if (before !== NONE) this.#old.set(before, this.#ring[at + 1]!);
    this.#ring[at] = id;
    this.#ring[at + 1] = value;
  }

  #at(id: number): number {
    return (id * CELL) & (this.#ring.length - 1);
  }

  #grow(): void {
    const ring = this.#ring;
    const present: number[] = [];
    for (let at = 0; at < ring.length; at += CELL) if (ring[at] !== NONE) present.push(at);
    present.sort((a, b) => ring[a]! - ring[b]!);
    this.#ring = emptyRing(ring.length);
    for (const at of present) this.#put(ring[at]!, ring[at + 1]!);
  }
}
