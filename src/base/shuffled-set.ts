import { integer, type RandomState } from "./random.ts";

/** A set whose items are in random order, drawn as they are added. COST: O(1) per change. */
export class ShuffledSet<T> {
  readonly #state: RandomState;
  readonly #items: T[] = [];
  readonly #places = new Map<T, number>();

  constructor(state: RandomState) {
    this.#state = state;
  }

  get size(): number {
    return this.#items.length;
  }

  at(place: number): T | undefined {
    return this.#items[place];
  }

  /** Puts the item in the place of a random one, which becomes the last. */
  add(item: T): void {
    if (this.#places.has(item)) return;
    const place = integer(this.#state, this.#items.length + 1);
    const moved = this.#items[place];
    if (moved !== undefined) this.#put(moved, this.#items.length);
    this.#put(item, place);
  }

  /** The last item takes the place of the deleted one. */
  delete(item: T): void {
    const place = this.#places.get(item);
    if (place === undefined) return;
    this.#places.delete(item);
    const last = this.#items.pop();
    if (last !== undefined && last !== item) this.#put(last, place);
  }

  #put(item: T, place: number): void {
    this.#items[place] = item;
    this.#places.set(item, place);
  }

  clear(): void {
    this.#items.length = 0;
    this.#places.clear();
  }
}
