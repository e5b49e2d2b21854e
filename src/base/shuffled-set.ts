import { integer, type RandomState } from "./random.ts";

/** Stands for "no place". */
const NONE = -1;

/**
 * A set of whole numbers below `room`, in random order, drawn as they are added. COST: O(1) per
 * change, without garbage.
 */
export class ShuffledSet {
  readonly #state: RandomState;
  readonly #items: number[] = [];
  readonly #places: Int32Array;

  constructor(state: RandomState, room: number) {
    this.#state = state;
    this.#places = new Int32Array(room).fill(NONE);
  }

  get size(): number {
    return this.#items.length;
  }

  at(place: number): number | undefined {
    return this.#items[place];
  }

  /** Puts the item in the place of a random one, which becomes the last. */
  add(item: number): void {
    if (this.#places[item] !== NONE) return;
    const last = this.#items.length;
    const place = integer(this.#state, last + 1);
    if (place < last) this.#put(this.#items[place]!, last);
    this.#put(item, place);
  }

  /** The last item takes the place of the deleted one. */
  delete(item: number): void {
    const place = this.#places[item]!;
    if (place === NONE) return;
    this.#places[item] = NONE;
    const last = this.#items.pop()!;
    if (last !== item) this.#put(last, place);
  }

  #put(item: number, place: number): void {
    this.#items[place] = item;
    this.#places[item] = place;
  }

  clear(): void {
    for (const item of this.#items) this.#places[item] = NONE;
    this.#items.length = 0;
  }
}
