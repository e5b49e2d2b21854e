const CHUNK_MAX = 512;

interface Chunk<T> {
  keys: number[];
  items: T[];
}

/**
 * Items in rising order of a number, ties by id. Kept in chunks: adding and removing cost O(sqrt
 * n), and finding the k-th costs O(n / 512).
 */
export class SortedList<T extends { readonly id: number }> {
  #chunks: Chunk<T>[] = [];
  size = 0;

  add(key: number, item: T): void {
    this.size++;
    const at = this.#chunkFor(key, item.id);
    const chunk = this.#chunks[at];
    if (chunk === undefined) {
      this.#chunks.push({ keys: [key], items: [item] });
      return;
    }
    const place = placeIn(chunk, key, item.id);
    chunk.keys.splice(place, 0, key);
    chunk.items.splice(place, 0, item);
    if (chunk.keys.length > CHUNK_MAX) {
      const half = CHUNK_MAX >> 1;
      const upper = { keys: chunk.keys.splice(half), items: chunk.items.splice(half) };
      this.#chunks.splice(at + 1, 0, upper);
    }
  }

  /** Returns whether the item was there. */
  remove(key: number, item: T): boolean {
    const at = this.#chunkFor(key, item.id);
    const chunk = this.#chunks[at];
    if (chunk === undefined) return false;
    const place = placeIn(chunk, key, item.id);
    if (chunk.items[place]?.id !== item.id) return false;
    chunk.keys.splice(place, 1);
    chunk.items.splice(place, 1);
    if (chunk.keys.length === 0) this.#chunks.splice(at, 1);
    this.size--;
    return true;
  }

  /** The k-th smallest number, from 0. */
  keyAt(k: number): number {
    let left = k;
    for (const chunk of this.#chunks) {
      if (left < chunk.keys.length) return chunk.keys[left]!;
      left -= chunk.keys.length;
    }
    return Number.NaN;
  }

  /** The item with the smallest number. */
  first(): { readonly key: number; readonly item: T } | undefined {
    const chunk = this.#chunks[0];
    return chunk === undefined ? undefined : { key: chunk.keys[0]!, item: chunk.items[0]! };
  }

  /** The count of numbers below this one. */
  countBelow(key: number): number {
    let count = 0;
    for (const chunk of this.#chunks) {
      if (chunk.keys[chunk.keys.length - 1]! < key) count += chunk.keys.length;
      else return count + placeIn(chunk, key, Number.NEGATIVE_INFINITY);
    }
    return count;
  }

  /** Largest first; ties: smallest id first. The list must not change during the walk. */
  *descending(): Generator<{ readonly key: number; readonly item: T }> {
    for (let c = this.#chunks.length - 1; c >= 0; c--) {
      const { keys, items } = this.#chunks[c]!;
      for (let i = keys.length - 1; i >= 0; i--) yield { key: keys[i]!, item: items[i]! };
    }
  }

  /**
   * The first chunk that does not end before the place of (key, id); the last chunk if there is
   * none.
   */
  #chunkFor(key: number, id: number): number {
    let low = 0;
    let high = this.#chunks.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      const chunk = this.#chunks[middle]!;
      const last = chunk.keys.length - 1;
      if (isBefore(chunk.keys[last]!, chunk.items[last]!.id, key, id)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

// Among equal numbers the larger id comes first, so that a walk downwards meets the smaller id
// first.
function isBefore(key: number, id: number, otherKey: number, otherId: number): boolean {
  return key < otherKey || (key === otherKey && id > otherId);
}

function placeIn<T extends { readonly id: number }>(
  chunk: Chunk<T>,
  key: number,
  id: number,
): number {
  let low = 0;
  let high = chunk.keys.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isBefore(chunk.keys[middle]!, chunk.items[middle]!.id, key, id)) low = middle + 1;
    else high = middle;
  }
  return low;
}
