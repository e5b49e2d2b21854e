import { EventHeap } from "../../base/heap.ts";

/** What is due: the low bits of a payload; the rest is the index of what it concerns. */
export const ARRIVAL = 0;
export const BEAT = 1;
export const FINISH = 2;
export const WAKE = 3;
export const FAULT = 4;
export const SILENCE = 5;
export const FLOWS = 6;
export const REPORT = 7;
export const RETRY = 8;
/** A fault that comes again and again. */
export const AGAIN = 9;
/** The links between racks are measured. */
export const LINKS = 10;

const KIND_BITS = 4;
const KIND_MASK = (1 << KIND_BITS) - 1;

export const kindOf = (payload: number): number => payload & KIND_MASK;
export const subjectOf = (payload: number): number => payload >> KIND_BITS;

/** The scheduler's wakes, measurements, and faults that come again: alone they move no job. */
export const goesOn = (kind: number): boolean => kind === WAKE || kind === AGAIN || kind === LINKS;

/** All that will happen, by time; ties in the order in which it was entered. */
export class Agenda {
  readonly #heap = new EventHeap();
  #idle = 0;

  get nextTime(): number {
    return this.#heap.nextTime;
  }

  /** Whether nothing is due but what would go on for ever by itself. */
  get isIdle(): boolean {
    return this.#heap.size === this.#idle;
  }

  /** Returns the handle by which the entry may be moved or removed until it is due. */
  enter(time: number, kind: number, subject = 0): number {
    if (goesOn(kind)) this.#idle += 1;
    return this.#heap.push(time, (subject << KIND_BITS) | kind);
  }

  /** The payload of what is due first. */
  take(): number {
    const payload = this.#heap.pop();
    if (goesOn(kindOf(payload))) this.#idle -= 1;
    return payload;
  }

  /** Another time for an entry, or none: an entry that will not come is not kept. */
  reschedule(entry: {
    readonly handle: number | undefined;
    readonly time: number;
    readonly kind: number;
    readonly subject: number;
  }): number | undefined {
    const { handle, time, kind, subject } = entry;
    if (time === Number.POSITIVE_INFINITY) {
      if (handle !== undefined) this.#heap.remove(handle);
      return undefined;
    }
    if (handle === undefined) return this.enter(time, kind, subject);
    this.#heap.move(handle, time);
    return handle;
  }

  remove(handle: number): void {
    this.#heap.remove(handle);
  }
}
