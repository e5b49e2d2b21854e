import { longer, longerIntegers, NONE } from "../../../base/columns.ts";
import type { Resource } from "./resource.ts";
import { ResourceTable } from "./resource-table.ts";

/** A flow's row in the table; reused once the flow's end has been reported. */
export type Flow = number;

/** Marks a flow that only its own highest rate limits. */
export const OWN_BOUND = -2;

/**
 * Flows in columns, and the table of uses: a block of rows for each flow, one per resource. A flow
 * needs no object of its own.
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
  /** The flow's handle among the completions; `NONE` if its end is not foreseen. */
  handle: Int32Array = new Int32Array(0);
  /** 1 if the flow has ended. */
  isOver: Int32Array = new Int32Array(0);
  /**
   * Where the flow's block of uses begins, how many there are, and how many of them, the first
   * ones, are in the lists of their resources.
   */
  first: Int32Array = new Int32Array(0);
  count: Int32Array = new Int32Array(0);
  listed: Int32Array = new Int32Array(0);

  readonly table = new ResourceTable();
  /** By row. */
  readonly resources: Resource[] = [];
  /** By use: the row of its resource, its flow, and its place in the resource's list. */
  used: Int32Array = new Int32Array(0);
  flows: Int32Array = new Int32Array(0);
  places: Int32Array = new Int32Array(0);

  live = 0;
  /** The number of rows that have ever been in use. */
  rows = 0;
  /** The number of uses that have ever been in a block. */
  #uses = 0;
  readonly #freeRows: Flow[] = [];
  /** Free blocks of uses by their length. */
  readonly #freeBlocks: number[][] = [];

  /**
   * A resource without a limit does not list its flows, unless no other resource leads to them: a
   * fetch passes two gates and two racks without limits.
   */
  add(tag: T, uses: readonly Resource[]): Flow {
    const flow = this.#freeRows.pop() ?? this.#newRow();
    this.live += 1;
    this.tags[flow] = tag;
    this.fair[flow] = 0;
    this.rate[flow] = 0;
    this.limit[flow] = NONE;
    this.handle[flow] = NONE;
    this.isOver[flow] = 0;
    const { length } = uses;
    this.count[flow] = length;
    const first = this.#freeBlocks[length]?.pop() ?? this.#newBlock(length);
    this.first[flow] = first;
    let next = first;
    let last = first + length;
    const { limited } = this.table;
    for (let i = 0; i < length; i += 1) {
      const { row } = uses[i]!;
      if (limited[row] === 1) this.#list(flow, next++, row);
      else this.used[--last] = row;
    }
    if (next === first) {
      for (let i = 0; i < length; i += 1) this.#list(flow, next++, uses[i]!.row);
    }
    this.listed[flow] = next - first;
    return flow;
  }

  #list(flow: Flow, use: number, row: number): void {
    this.used[use] = row;
    this.flows[use] = flow;
    this.places[use] = this.table.list(row, use);
  }

  /** The resource has a limit from now on: it lists all of its flows. */
  listAll(row: number): void {
    for (let flow = 0; flow < this.rows; flow += 1) {
      if (!this.isLive(flow)) continue;
      const next = this.first[flow]! + this.listed[flow]!;
      const end = this.first[flow]! + this.count[flow]!;
      for (let use = next; use < end; use += 1) {
        if (this.used[use] !== row) continue;
        this.used[use] = this.used[next]!;
        this.#list(flow, next, row);
        this.listed[flow]! += 1;
        break;
      }
    }
  }

  /** Takes the flow off its resources. Its row stays as it is until `free`. */
  takeOff(flow: Flow): void {
    const first = this.first[flow]!;
    const end = first + this.listed[flow]!;
    for (let use = first; use < end; use += 1) {
      const place = this.places[use]!;
      const moved = this.table.unlist(this.used[use]!, place);
      if (moved !== NONE) this.places[moved] = place;
    }
    this.isOver[flow] = 1;
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
    return this.isOver[flow] === 0;
  }

  /** Whether any of the flow's resources has a limit. */
  isLimited(flow: Flow): boolean {
    const first = this.first[flow]!;
    const end = first + this.listed[flow]!;
    for (let use = first; use < end; use += 1) {
      if (this.table.limited[this.used[use]!] === 1) return true;
    }
    return false;
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
      this.listed = longerIntegers(this.listed, room);
      this.isOver = longerIntegers(this.isOver, room);
    }
    this.rows += 1;
    return this.rows - 1;
  }

  #newBlock(count: number): number {
    const first = this.#uses;
    const end = first + count;
    if (end > this.flows.length) {
      const room = Math.max(256, 2 * this.flows.length, end);
      this.used = longerIntegers(this.used, room);
      this.flows = longerIntegers(this.flows, room);
      this.places = longerIntegers(this.places, room);
    }
    this.#uses = end;
    return first;
  }
}
