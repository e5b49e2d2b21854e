import { longer, longerIntegers, NONE } from "../../../base/columns.ts";
import { type Filling, SAME_RATE } from "./filling.ts";
import { type Flow, type FlowTable, OWN_BOUND } from "./flow-table.ts";
import { Levels } from "./levels.ts";
import type { Resource } from "./resource.ts";

/** Among the coming levels, numbers from here on are flows, and lower numbers are resources. */
const FLOWS = 1 << 30;

/**
 * Repairs the rates after a change. The filling begins with the touched resources alone: the other
 * resources of their flows stop them at the rates that they have. Where a flow stops at another
 * rate, or rises beyond its old one, its other resources join the filling at that level. Everything
 * below that level stays as it is, and what no change reaches is never looked at.
 *
 * COST: O(flows of the resources that join, log of their number).
 */
export class Repair implements Filling {
  readonly #flows: FlowTable<unknown>;
  readonly #levels = new Levels();
  /** By row: the capacity at the last filling. */
  #perMs: Float64Array = new Float64Array(0);
  /** The level at which the resource is full; Infinity if its flows leave some of it. */
  #full: Float64Array = new Float64Array(0);
  #left: Float64Array = new Float64Array(0);
  /** The number of flows that still rise, and the highest rate of those that have stopped. */
  #rising: Int32Array = new Int32Array(0);
  #stopped: Float64Array = new Float64Array(0);
  /** The last filling that the resource joined; that met the flow; that gave the flow its rate. */
  #joined: Int32Array = new Int32Array(0);
  #met: Int32Array = new Int32Array(0);
  #settled: Int32Array = new Int32Array(0);
  #fillings = 0;
  readonly #found: Flow[] = [];
  #rates: Float64Array = new Float64Array(64);

  constructor(flows: FlowTable<unknown>) {
    this.#flows = flows;
  }

  addResource(resource: Resource): void {
    const { row } = resource;
    if (row < this.#perMs.length) return;
    const room = Math.max(64, 2 * row);
    this.#perMs = longer(this.#perMs, room);
    this.#full = longer(this.#full, room);
    this.#left = longer(this.#left, room);
    this.#stopped = longer(this.#stopped, room);
    this.#rising = longerIntegers(this.#rising, room);
    this.#joined = longerIntegers(this.#joined, room);
  }

  fill(touched: readonly Resource[]): readonly Flow[] {
    this.#fillings += 1;
    this.#found.length = 0;
    const room = this.#flows.size.length;
    if (this.#met.length < room) {
      this.#met = longerIntegers(this.#met, room);
      this.#settled = longerIntegers(this.#settled, room);
    }
    for (const resource of touched) {
      if (resource.isLimited) this.#touch(resource);
      else this.#letGo(resource);
    }
    this.#rise();
    return this.#found;
  }

  #touch(resource: Resource): void {
    if (this.#joined[resource.row] === this.#fillings) return;
    this.#perMs[resource.row] = resource.perMs;
    this.#join(resource, 0);
    for (const dependent of resource.dependents) {
      if (dependent.isLimited && dependent.perMs !== this.#perMs[dependent.row]) {
        this.#touch(dependent);
      }
    }
  }

  /** The resource has no limit, or no longer: its flows stop elsewhere, or at their own bound. */
  #letGo({ row }: Resource): void {
    const { bound, flows, limit, table } = this.#flows;
    const { lengths, starts, uses } = table;
    const end = starts[row]! + lengths[row]!;
    for (let i = starts[row]!; i < end; i += 1) {
      const flow = flows[uses[i]!]!;
      if (limit[flow] !== NONE && limit[flow] !== row) continue;
      limit[flow] = NONE;
      if (this.#flows.isLimited(flow)) this.#touchOthers(flow);
      else if (this.#met[flow] !== this.#fillings) {
        this.#met[flow] = this.#fillings;
        this.#found.push(flow);
        this.#settle(flow, bound[flow]!, OWN_BOUND);
      }
    }
  }

  #touchOthers(flow: Flow): void {
    const { first, listed, resources, table, used } = this.#flows;
    const end = first[flow]! + listed[flow]!;
    for (let use = first[flow]!; use < end; use += 1) {
      const row = used[use]!;
      if (table.limited[row] === 1) this.#touch(resources[row]!);
    }
  }

  /** The resource becomes part of the filling, which has reached this level. */
  #join(resource: Resource, level: number): void {
    const { row } = resource;
    this.#joined[row] = this.#fillings;
    this.#full[row] = Number.POSITIVE_INFINITY;
    const rising = resource.streams - this.#takeStopped(row, level);
    this.#rising[row] = rising;
    if (rising > 0) this.#levels.push(Math.max(0, this.#left[row]!) / rising, row);
  }

  /**
   * Subtracts the rates of flows that have stopped below a level, from the lowest rate up, as a
   * filling from the start does; meets the other flows. Returns how many have stopped.
   */
  #takeStopped(row: number, level: number): number {
    const { flows, fair, limit, table } = this.#flows;
    const { lengths, starts, uses } = table;
    const streams = lengths[row]!;
    if (streams > this.#rates.length) this.#rates = new Float64Array(2 * streams);
    const rates = this.#rates;
    let count = 0;
    const end = starts[row]! + streams;
    for (let i = starts[row]!; i < end; i += 1) {
      const flow = flows[uses[i]!]!;
      if (this.#met[flow] !== this.#fillings) {
        this.#met[flow] = this.#fillings;
        // A flow that stopped below the level, and was not met there, keeps its rate.
        if (limit[flow] !== NONE && fair[flow]! < level) this.#settled[flow] = this.#fillings;
        else this.#meet(flow);
      }
      if (this.#settled[flow] !== this.#fillings) continue;
      rates[count] = fair[flow]!;
      count += 1;
    }
    sort(rates, count);
    let left = this.#perMs[row]!;
    for (let i = 0; i < count; i += 1) left -= rates[i]!;
    this.#left[row] = left;
    this.#stopped[row] = count === 0 ? 0 : rates[count - 1]!;
    return count;
  }

  #meet(flow: Flow): void {
    this.#found.push(flow);
    const { bound, fair, limit } = this.#flows;
    if (bound[flow]! < Number.POSITIVE_INFINITY) this.#levels.push(bound[flow]!, FLOWS + flow);
    if (limit[flow]! >= 0) this.#levels.push(fair[flow]!, FLOWS + flow);
  }

  /**
   * The levels at which resources are full only rise as flows stop, so a level in the heap is a
   * lower bound, worked out again when it is the lowest.
   */
  #rise(): void {
    const levels = this.#levels;
    while (levels.size > 0) {
      const level = levels.lowest;
      const what = levels.pop();
      if (what >= FLOWS) this.#reach(what - FLOWS, level);
      else this.#mayBeFull(what, level);
    }
  }

  #mayBeFull(row: number, due: number): void {
    const rising = this.#rising[row]!;
    if (rising === 0) return;
    const full = Math.max(0, this.#left[row]!) / rising;
    if (full > due * (1 + SAME_RATE)) {
      this.#levels.push(full, row);
      return;
    }
    const level = Math.max(full, this.#stopped[row]!);
    this.#full[row] = level;
    const { flows, table } = this.#flows;
    const { lengths, starts, uses } = table;
    const end = starts[row]! + lengths[row]!;
    for (let i = starts[row]!; i < end; i += 1) {
      const flow = flows[uses[i]!]!;
      if (this.#settled[flow] !== this.#fillings) this.#settle(flow, level, row);
    }
  }

  /** The level has reached the flow's own bound, or the rate that the flow had. */
  #reach(flow: Flow, level: number): void {
    if (this.#settled[flow] === this.#fillings) return;
    const limit = this.#flows.limit[flow]!;
    if (level === this.#flows.bound[flow]) this.#settle(flow, level, OWN_BOUND);
    else if (limit >= 0 && this.#joined[limit] !== this.#fillings) this.#settle(flow, level, limit);
    else this.#joinOthers(flow, level);
  }

  /** The flow rises beyond its old rate, and all its resources learn of it. */
  #joinOthers(flow: Flow, level: number): void {
    const { first, listed, resources, table, used } = this.#flows;
    const end = first[flow]! + listed[flow]!;
    for (let use = first[flow]!; use < end; use += 1) {
      const row = used[use]!;
      if (table.limited[row] === 1 && this.#joined[row] !== this.#fillings) {
        this.#join(resources[row]!, level);
      }
    }
  }

  #settle(flow: Flow, rate: number, limit: number): void {
    const { fair, first, listed, resources, table, used } = this.#flows;
    const old = this.#flows.limit[flow] === NONE ? Number.POSITIVE_INFINITY : fair[flow]!;
    this.#settled[flow] = this.#fillings;
    this.#flows.limit[flow] = limit;
    fair[flow] = rate;
    const end = first[flow]! + listed[flow]!;
    for (let use = first[flow]!; use < end; use += 1) {
      const row = used[use]!;
      if (this.#joined[row] === this.#fillings) {
        this.#left[row]! -= rate;
        this.#rising[row]! -= 1;
        this.#stopped[row] = Math.max(this.#stopped[row]!, rate);
      } else if (rate !== old && table.limited[row] === 1) {
        // A resource that is not full stops no more flows when one of them takes less.
        const mayFeel = rate > old || this.#full[row]! < Number.POSITIVE_INFINITY;
        if (mayFeel) this.#join(resources[row]!, rate);
      }
    }
  }
}

/** Sorts the first `count` numbers, usually few, in rising order. */
function sort(numbers: Float64Array, count: number): void {
  if (count > 24) {
    numbers.subarray(0, count).sort();
    return;
  }
  for (let i = 1; i < count; i += 1) {
    const one = numbers[i]!;
    let at = i;
    while (at > 0 && numbers[at - 1]! > one) {
      numbers[at] = numbers[at - 1]!;
      at -= 1;
    }
    numbers[at] = one;
  }
}
