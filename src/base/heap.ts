import { assert } from "./assert.ts";

/**
 * An agenda of timed payloads: a 4-ary min-heap on typed arrays, earliest first, ties in the order
 * of the pushes. A push returns a handle by which the entry may be moved or removed until it is
 * popped; the handle is then reused. O(log n) each, 32 bytes per entry.
 */
export class EventHeap {
  #size = 0;
  #pushes = 0;
  #freeHandles = 0;
  /** Indexed by position in the heap. */
  #times: Float64Array;
  #turns: Float64Array;
  #handles: Int32Array;
  /** Indexed by handle: the handle's position, or the next free handle. */
  #positions: Int32Array;
  #payloads: Int32Array;

  constructor(capacity = 64) {
    const room = Math.max(4, capacity);
    this.#times = new Float64Array(room);
    this.#turns = new Float64Array(room);
    this.#handles = new Int32Array(room);
    this.#positions = new Int32Array(room);
    this.#payloads = new Int32Array(room);
    this.#chainFree(0);
  }

  get size(): number {
    return this.#size;
  }

  /** The time of the earliest entry; Infinity if there is none. */
  get nextTime(): number {
    return this.#size === 0 ? Number.POSITIVE_INFINITY : (this.#times[0] as number);
  }

  /** Returns the entry's handle. The payload is a 32-bit integer. */
  push(time: number, payload: number): number {
    if (this.#size === this.#times.length) this.#grow();
    const handle = this.#freeHandles;
    this.#freeHandles = this.#positions[handle] as number;
    this.#payloads[handle] = payload;
    this.#pushes += 1;
    this.#rise(this.#size++, time, this.#pushes, handle);
    return handle;
  }

  /** Removes the earliest entry and returns its payload. */
  pop(): number {
    assert(this.#size > 0, "popped an empty heap");
    const handle = this.#handles[0] as number;
    this.#takeOut(handle);
    return this.#payloads[handle] as number;
  }

  /** The payload of the earliest entry. */
  get first(): number {
    assert(this.#size > 0, "an empty heap has no first entry");
    return this.#payloads[this.#handles[0] as number] as number;
  }

  /** Moves the earliest entry to a later time, as `pop` and `push` would, in half of the time. */
  delayFirst(time: number): void {
    assert(time >= this.nextTime, "the first entry moves to a later time");
    this.#pushes += 1;
    this.#sink(0, time, this.#pushes, this.#handles[0] as number);
  }

  remove(handle: number): void {
    assert(this.#isLive(handle), "removed a handle that is not in the heap");
    this.#takeOut(handle);
  }

  /** Changes the time of a live entry; among equal times the entry now comes last. */
  move(handle: number, time: number): void {
    assert(this.#isLive(handle), "moved a handle that is not in the heap");
    this.#pushes += 1;
    this.#place(this.#positions[handle] as number, time, this.#pushes, handle);
  }

  timeOf(handle: number): number {
    assert(this.#isLive(handle), "asked for a handle that is not in the heap");
    return this.#times[this.#positions[handle] as number] as number;
  }

  #isLive(handle: number): boolean {
    const position = this.#positions[handle] ?? this.#size;
    return position < this.#size && this.#handles[position] === handle;
  }

  #takeOut(handle: number): void {
    const position = this.#positions[handle] as number;
    const last = --this.#size;
    if (position !== last) {
      this.#place(
        position,
        this.#times[last] as number,
        this.#turns[last] as number,
        this.#handles[last] as number,
      );
    }
    this.#positions[handle] = this.#freeHandles;
    this.#freeHandles = handle;
  }

  /** Replaces the entry at `position`, and restores the order. */
  #place(position: number, time: number, turn: number, handle: number): void {
    if (position > 0 && this.#isBefore(time, turn, (position - 1) >> 2)) {
      this.#rise(position, time, turn, handle);
    } else {
      this.#sink(position, time, turn, handle);
    }
  }

  #isBefore(time: number, turn: number, position: number): boolean {
    const other = this.#times[position] as number;
    return time < other || (time === other && turn < (this.#turns[position] as number));
  }

  #rise(from: number, time: number, turn: number, handle: number): void {
    let position = from;
    while (position > 0) {
      const parent = (position - 1) >> 2;
      if (!this.#isBefore(time, turn, parent)) break;
      this.#shift(parent, position);
      position = parent;
    }
    this.#set(position, time, turn, handle);
  }

  #sink(from: number, time: number, turn: number, handle: number): void {
    let position = from;
    for (;;) {
      const first = position * 4 + 1;
      if (first >= this.#size) break;
      const least = this.#leastChild(first);
      const leastTime = this.#times[least] as number;
      if (time < leastTime) break;
      if (time === leastTime && turn < (this.#turns[least] as number)) break;
      this.#shift(least, position);
      position = least;
    }
    this.#set(position, time, turn, handle);
  }

  #leastChild(first: number): number {
    const end = Math.min(first + 4, this.#size);
    let least = first;
    let leastTime = this.#times[first] as number;
    for (let child = first + 1; child < end; child += 1) {
      const time = this.#times[child] as number;
      if (time < leastTime) {
        least = child;
        leastTime = time;
      } else if (
        time === leastTime &&
        (this.#turns[child] as number) < (this.#turns[least] as number)
      ) {
        least = child;
      }
    }
    return least;
  }

  #shift(from: number, to: number): void {
    const handle = this.#handles[from] as number;
    this.#times[to] = this.#times[from] as number;
    this.#turns[to] = this.#turns[from] as number;
    this.#handles[to] = handle;
    this.#positions[handle] = to;
  }

  #set(position: number, time: number, turn: number, handle: number): void {
    this.#times[position] = time;
    this.#turns[position] = turn;
    this.#handles[position] = handle;
    this.#positions[handle] = position;
  }

  #grow(): void {
    const old = this.#times.length;
    this.#times = twiceFloats(this.#times);
    this.#turns = twiceFloats(this.#turns);
    this.#handles = twiceIntegers(this.#handles);
    this.#positions = twiceIntegers(this.#positions);
    this.#payloads = twiceIntegers(this.#payloads);
    this.#chainFree(old);
  }

  #chainFree(from: number): void {
    for (let handle = from; handle < this.#positions.length; handle += 1) {
      this.#positions[handle] = handle + 1;
    }
    this.#freeHandles = from;
  }
}

function twiceFloats(old: Float64Array): Float64Array {
  const bigger = new Float64Array(old.length * 2);
  bigger.set(old);
  return bigger;
}

function twiceIntegers(old: Int32Array): Int32Array {
  const bigger = new Int32Array(old.length * 2);
  bigger.set(old);
  return bigger;
}
