import { ascending } from "../../base/order.ts";
import { cell } from "../../base/rows.ts";

/** The slots of one pool by the time at which each is free; the earliest is on top. */
export class SlotHeap {
  readonly #from: Float64Array;
  readonly #free: Float64Array;
  readonly #until: Float64Array;
  /** Of each slot, the attempt on it, and the attempt whose end frees it; -1 at first. */
  readonly #holder: Int32Array;
  readonly #by: Int32Array;
  /** Of each place in the heap: when its slot is free, and the slot. */
  readonly #at: Float64Array;
  readonly #heap: Int32Array;
  /** The place of each slot in the heap; -1 if the slot is gone. */
  readonly #place: Int32Array;
  #size = 0;

  /** Before the first attempt, call `reset`. */
  constructor(from: Float64Array, until: Float64Array) {
    this.#from = from;
    this.#until = until;
    this.#free = new Float64Array(from.length);
    this.#at = new Float64Array(from.length);
    this.#holder = new Int32Array(from.length);
    this.#by = new Int32Array(from.length);
    this.#heap = new Int32Array(from.length);
    this.#place = new Int32Array(from.length);
  }

  /** No slot is taken, or gone. */
  reset(): void {
    this.#free.set(this.#from);
    this.#at.set(this.#from);
    this.#holder.fill(-1);
    this.#by.fill(-1);
    this.#size = this.#from.length;
    for (let slot = 0; slot < this.#size; slot++) {
      this.#heap[slot] = slot;
      this.#place[slot] = slot;
    }
    for (let at = (this.#size >> 1) - 1; at >= 0; at--) this.#sink(at);
  }

  /**
   * The slot that is free first; -1 if all slots are gone. Slots that end before they are free, or
   * before the attempt is ready, are dropped: an executor that was idle too long is gone.
   */
  first(ready: number): number {
    while (this.#size > 0) {
      const slot = cell(this.#heap[0]);
      if (Math.max(cell(this.#free[slot]), ready) < cell(this.#until[slot])) return slot;
      this.#drop();
    }
    return -1;
  }

  /** The slot that is the n-th to be free; -1 if there are fewer that last until then. */
  nth(n: number): number {
    const lasts = (slot: number): boolean =>
      cell(this.#place[slot]) >= 0 && this.freeAt(slot) < cell(this.#until[slot]);
    const slots = [...this.#place.keys()].filter(lasts);
    slots.sort(ascending((slot) => this.freeAt(slot)));
    return n <= slots.length ? cell(slots[n - 1]) : -1;
  }

  freeAt(slot: number): number {
    return cell(this.#free[slot]);
  }

  freedBy(slot: number): number {
    return cell(this.#by[slot]);
  }

  holder(slot: number): number {
    return cell(this.#holder[slot]);
  }

  /** Before the next `take`, call `free` with the time at which the slot is free again. */
  take(slot: number, holder: number): void {
    this.#holder[slot] = holder;
  }

  /** The slot will be free at `at`, when the attempt `by` ends. */
  free(slot: number, at: number, by: number): void {
    const was = cell(this.#free[slot]);
    this.#free[slot] = at;
    this.#by[slot] = by;
    const place = cell(this.#place[slot]);
    if (place < 0) return;
    if (at > was) this.#sink(place);
    else this.#rise(place);
  }

  #drop(): void {
    const slot = cell(this.#heap[0]);
    this.#place[slot] = -1;
    this.#size -= 1;
    if (this.#size === 0) return;
    this.#heap[0] = cell(this.#heap[this.#size]);
    this.#sink(0);
  }

  #put(place: number, slot: number, at: number): void {
    this.#at[place] = at;
    this.#heap[place] = slot;
    this.#place[slot] = place;
  }

  #sink(from: number): void {
    const slot = cell(this.#heap[from]);
    const at = cell(this.#free[slot]);
    let place = from;
    for (;;) {
      let child = 2 * place + 1;
      if (child >= this.#size) break;
      if (child + 1 < this.#size && this.#comesFirst(child + 1, child)) child += 1;
      const next = cell(this.#at[child]);
      const other = cell(this.#heap[child]);
      if (next > at || (next === at && other > slot)) break;
      this.#put(place, other, next);
      place = child;
    }
    this.#put(place, slot, at);
  }

  #rise(from: number): void {
    const slot = cell(this.#heap[from]);
    const at = cell(this.#free[slot]);
    let place = from;
    while (place > 0) {
      const parent = (place - 1) >> 1;
      const before = cell(this.#at[parent]);
      const other = cell(this.#heap[parent]);
      if (before < at || (before === at && other < slot)) break;
      this.#put(place, other, before);
      place = parent;
    }
    this.#put(place, slot, at);
  }

  /** Ties go to the lower slot, so that a run does not depend on the heap's history. */
  #comesFirst(place: number, other: number): boolean {
    const a = cell(this.#at[place]);
    const b = cell(this.#at[other]);
    return a === b ? cell(this.#heap[place]) < cell(this.#heap[other]) : a < b;
  }
}
