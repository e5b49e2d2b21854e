/**
 * The next levels of a filling: a binary heap of levels, each with a whole number; equal levels are
 * in the order of their numbers. COST: O(log n) each, without garbage.
 */
export class Levels {
  #levels: Float64Array = new Float64Array(256);
  #whats: Int32Array = new Int32Array(256);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** The lowest level; Infinity if there is none. */
  get lowest(): number {
    return this.#size === 0 ? Number.POSITIVE_INFINITY : this.#levels[0]!;
  }

  push(level: number, what: number): void {
    if (this.#size === this.#levels.length) this.#grow();
    const levels = this.#levels;
    const whats = this.#whats;
    let at = this.#size;
    this.#size += 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const above = levels[parent]!;
      if (above < level || (above === level && whats[parent]! < what)) break;
      levels[at] = above;
      whats[at] = whats[parent]!;
      at = parent;
    }
    levels[at] = level;
    whats[at] = what;
  }

  /** Removes the lowest level and returns its number. */
  pop(): number {
    const what = this.#whats[0]!;
    this.#size -= 1;
    if (this.#size > 0) this.#sink(this.#levels[this.#size]!, this.#whats[this.#size]!);
    return what;
  }

  #sink(level: number, what: number): void {
    const levels = this.#levels;
    const whats = this.#whats;
    const size = this.#size;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= size) break;
      if (child + 1 < size && this.#isBefore(child + 1, levels[child]!, whats[child]!)) child += 1;
      if (!this.#isBefore(child, level, what)) break;
      levels[at] = levels[child]!;
      whats[at] = whats[child]!;
      at = child;
    }
    levels[at] = level;
    whats[at] = what;
  }

  #isBefore(at: number, level: number, what: number): boolean {
    const one = this.#levels[at]!;
    return one < level || (one === level && this.#whats[at]! < what);
  }

  #grow(): void {
    const levels = new Float64Array(2 * this.#levels.length);
    levels.set(this.#levels);
    this.#levels = levels;
    const whats = new Int32Array(2 * this.#whats.length);
    whats.set(this.#whats);
    this.#whats = whats;
  }
}
