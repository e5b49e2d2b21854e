import { LadderQueue } from "../../base/ladder-queue.ts";

/**
 * The kinds of agenda entries: the low bits of a payload. The other bits are the index of the
 * entry's subject.
 */
export const ARRIVAL = 0;
export const BEAT = 1;
export const FINISH = 2;
export const WAKE = 3;
export const FAULT = 4;
export const SILENCE = 5;
export const FLOWS = 6;
export const REPORT = 7;
export const RETRY = 8;
/** The next occurrence of a recurring fault. */
export const AGAIN = 9;
/** The next measurement of the links between racks. */
export const LINKS = 10;
/** An attempt's wait on its node ends, and the attempt begins. */
export const BEGIN = 11;
/** Slots of a node come or go. */
export const SLOTS = 12;

const KIND_BITS = 4;
const KIND_MASK = (1 << KIND_BITS) - 1;

export const kindOf = (payload: number): number => payload & KIND_MASK;
export const subjectOf = (payload: number): number => payload >> KIND_BITS;

/**
 * Whether entries of this kind recur for ever (wakes, measurements, recurring faults) and so move
 * no job on their own.
 */
export const goesOn = (kind: number): boolean => kind === WAKE || kind === AGAIN || kind === LINKS;

/** All future events, by time; ties keep the order in which they were entered. */
export class Agenda {
  readonly #queue = new LadderQueue();
  #idle = 0;

  get nextTime(): number {
    return this.#queue.nextTime;
  }

  /** Whether only entries that recur for ever are left. */
  get isIdle(): boolean {
    return this.#queue.size === this.#idle;
  }

  /** Returns the handle by which the entry can be removed until it is due. */
  enter(time: number, kind: number, subject = 0): number {
    if (goesOn(kind)) this.#idle += 1;
    return this.#queue.push(time, (subject << KIND_BITS) | kind);
  }

  /** Removes the earliest entry and returns its payload. */
  take(): number {
    const payload = this.#queue.pop();
    if (goesOn(kindOf(payload))) this.#idle -= 1;
    return payload;
  }

  /**
   * Moves an entry to another time, behind all entries that are due then. An infinite time removes
   * the entry. Returns the entry's new handle.
   */
  reschedule(entry: {
    readonly handle: number | undefined;
    readonly time: number;
    readonly kind: number;
    readonly subject: number;
  }): number | undefined {
    const { handle, time, kind, subject } = entry;
    if (handle !== undefined) this.remove(handle);
    return time === Number.POSITIVE_INFINITY ? undefined : this.enter(time, kind, subject);
  }

  remove(handle: number): void {
    this.#queue.remove(handle);
  }
}
