import { defined } from "../../../base/assert.ts";
import { type Cursor, compareKeysAt } from "./cursor.ts";

/**
 * One sorted stream of several. Records of one key come in the order of the streams, and within a
 * stream in its order, so that values reach a reduce in the order in which they were mapped.
 */
export function merged(cursors: readonly Cursor[]): Cursor {
  const [only, ...others] = cursors;
  return only !== undefined && others.length === 0 ? only : new MergeCursor(cursors);
}

interface Source {
  readonly cursor: Cursor;
  readonly order: number;
}

const before = (left: Source, right: Source): boolean => {
  const order = compareKeysAt(left.cursor, right.cursor);
  return order === 0 ? left.order < right.order : order < 0;
};

/** A heap of the sources that have a record, the least on top. */
class MergeCursor implements Cursor {
  bytes: Uint8Array = new Uint8Array(0);
  keyStart = 0;
  keyEnd = 0;
  end = 0;
  readonly #heap: Source[] = [];
  /** The source on top gave the current record and has not moved on. */
  #isTopSpent = false;

  constructor(cursors: readonly Cursor[]) {
    for (const [order, cursor] of cursors.entries()) {
      if (cursor.advance()) this.#heap.push({ cursor, order });
    }
    for (let i = Math.floor(this.#heap.length / 2) - 1; i >= 0; i--) this.#sink(i);
  }

  advance(): boolean {
    if (this.#isTopSpent) this.#moveTop();
    const top = this.#heap[0];
    this.#isTopSpent = top !== undefined;
    if (top === undefined) return false;
    this.bytes = top.cursor.bytes;
    this.keyStart = top.cursor.keyStart;
    this.keyEnd = top.cursor.keyEnd;
    this.end = top.cursor.end;
    return true;
  }

  #moveTop(): void {
    const top = defined(this.#heap[0], "the top of the heap");
    if (!top.cursor.advance()) {
      const last = defined(this.#heap.pop(), "the last of the heap");
      if (this.#heap.length === 0) return;
      this.#heap[0] = last;
    }
    this.#sink(0);
  }

  #sink(from: number): void {
    const heap = this.#heap;
    const sinking = defined(heap[from], "a source in the heap");
    let at = from;
    for (;;) {
      const left = heap[2 * at + 1];
      const right = heap[2 * at + 2];
      if (left === undefined) break;
      const isRight = right !== undefined && before(right, left);
      const least = isRight ? right : left;
      if (before(sinking, least)) break;
      heap[at] = least;
      at = 2 * at + (isRight ? 2 : 1);
    }
    heap[at] = sinking;
  }
}
