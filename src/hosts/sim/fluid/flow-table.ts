import type { Resource } from "./resource.ts";

/** A flow's row in the table; given to another flow once its own has ended and been told of. */
export type Flow = number;

/** No row, no place. */
export const NONE = -1;
/** What limits a flow that takes as much as it may alone. */
export const OWN_BOUND = -2;

/**
 * Flows in columns, and the table of uses: a block of rows for each flow, one per resource. A flow
 * costs no object of its own.
 */
export class FlowTable<T> {
  readonly tags: (T | undefined)[] = [];
  /** Units of work. */
  size: Float64Array = new Float64Array(0);
  /** The work left at `since`. */
  remaining: Float64Array = new Float64Array(0);
  since: Float64Array = new Float64Array(0);
  /** Units per millisecond. */
  rate: Float64Array = new Float64Array(0);
  /** The highest rate of the flow. */
  bound: Float64Array = new Float64Array(0);
  /** The rate that the last filling found; the rate itself ignores differences of rounding. */
  fair: Float64Array = new Float64Array(0);
  /** The row of the resource that limits the flow, `OWN_BOUND`, or `NONE` before a filling. */
  limit: Int32Array = new Int32Array(0);
  /** The flow's handle among the completions; `NONE` once it has ended. */
  handle: Int32Array = new Int32Array(0);
  /** Where the flow's block of uses begins, and how many there are. */
  first: Int32Array = new Int32Array(0);
  count: Int32Array = new Int32Array(0);

  /** By use: its resource, its flow, and its place in the resource's list. */
  readonly resources: Resource[] = [];
  flows: Int32Array = new Int32Array(0);
  places: Int32Array = new Int32Array(0);

  live = 0;
  /** The rows that have been in use. */
  rows = 0;
  readonly #freeRows: Flow[] = [];
  /** Free blocks of uses by their length. */
  readonly #freeBlocks: number[][] = [];

  add(tag: T, uses: readonly Resource[]): Flow {
    const flow = this.#freeRows.pop() ?? this.#newRow();
    this.live += 1;
    this.tags[flow] = tag;
    this.fair[flow] = 0;
    this.rate[flow] = 0;
    this.limit[flow] = NONE;
    this.count[flow] = uses.length;
    const first = this.#freeBlocks[uses.length]?.pop() ?? this.#newBlock(uses.length);
    this.first[flow] = first;
    for (let i = 0; i < uses.length; i += 1) {
      const resource = uses[i]!;
      const use = first + i;
      this.resources[use] = resource;
      this.flows[use] = flow;
      this.places[use] = resource.uses.length;
      resource.uses.push(use);
    }
    return flow;
  }

  /** Takes the flow off its resources. Its row stays as it is until `free`. */
  takeOff(flow: Flow): void {
    const first = this.first[flow]!;
    const end = first + this.count[flow]!;
    for (let use = first; use < end; use += 1) {
      const resource = this.resources[use]!;
      this.#unlink(use, resource.uses);
    }
    this.handle[flow] = NONE;
    this.live -= 1;
  }

  /** Gives the row to another flow. */
  free(flow: Flow): void {
    const count = this.count[flow]!;
    this.#freeBlocks[count] ??= [];
    this.#freeBlocks[count].push(this.first[flow]!);
    this.tags[flow] = undefined;
    this.#freeRows.push(flow);
  }

  isLive(flow: Flow): boolean {
    return this.handle[flow] !== NONE;
  }

  /** Whether any of the flow's resources has a limit. */
  isLimited(flow: Flow): boolean {
    const first = this.first[flow]!;
    const end = first + this.count[flow]!;
    for (let use = first; use < end; use += 1) if (this.resources[use]!.isLimited) return true;
    return false;
  }

  /** The last of a resource's uses takes the place of this one. */
  #unlink(use: number, uses: number[]): void {
    const last = uses.pop();
    if (last === undefined || last === use) return;
    const place = this.places[use]!;
    uses[place] = last;
    this.places[last] = place;
  }

  #newRow(): Flow {
    if (this.rows === this.size.length) {
      const room = Math.max(64, 2 * this.rows);
      this.size = longer(this.size, room);
      this.remaining = longer(this.remaining, room);
      this.since = longer(this.since, room);
      this.rate = longer(this.rate, room);
      this.bound = longer(this.bound, room);
      this.fair = longer(this.fair, room);
      this.limit = longerIntegers(this.limit, room);
      this.handle = longerIntegers(this.handle, room);
      this.first = longerIntegers(this.first, room);
      this.count = longerIntegers(this.count, room);
    }
    this.rows += 1;
    return this.rows - 1;
  }

  #newBlock(count: number): number {
    const first = this.resources.length;
    const end = first + count;
    if (end > this.flows.length) {
      const room = Math.max(256, 2 * this.flows.length, end);
      this.flows = longerIntegers(this.flows, room);
      this.places = longerIntegers(this.places, room);
    }
    this.resources.length = end;
    return first;
  }
}

export function longer(old: Float64Array, room: number): Float64Array {
  const column = new Float64Array(room);
  column.set(old);
  return column;
}

export function longerIntegers(old: Int32Array, room: number): Int32Array {
  const column = new Int32Array(room);
  column.set(old);
  return column;
}
