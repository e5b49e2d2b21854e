import { longer, longerIntegers } from "../../../base/columns.ts";
import { EventHeap } from "../../../base/heap.ts";
import { type Filling, SAME_RATE } from "./filling.ts";
import type { Flow, FlowTable } from "./flow-table.ts";
import type { Resource } from "./resource.ts";

/**
 * Fills the touched connected components, whole and from the start: suitable where many changes are
 * solved together and affect most of a component. Keeps track of the free part of each resource,
 * for flows that start before the next filling.
 *
 * COST: O(flows and resources of the touched components, log resources).
 */
export class Refill implements Filling {
  readonly #flows: FlowTable<unknown>;
  readonly #levels = new EventHeap();
  /** By row: the rate of the flows that the resource limits, or the share of one more flow. */
  #level: Float64Array = new Float64Array(0);
  /** The part of the resource that is free. */
  #left: Float64Array = new Float64Array(0);
  #rising: Int32Array = new Int32Array(0);
  /**
   * The last filling that reached the resource; that reached the flow; that gave the flow its rate.
   */
  #seen: Int32Array = new Int32Array(0);
  #met: Int32Array = new Int32Array(0);
  #settled: Int32Array = new Int32Array(0);
  #fillings = 0;
  readonly #found: Flow[] = [];

  constructor(flows: FlowTable<unknown>) {
    this.#flows = flows;
  }

  addResource(resource: Resource): void {
    const { row } = resource;
    if (row === this.#level.length) {
      const room = Math.max(64, 2 * row);
      this.#level = longer(this.#level, room);
      this.#left = longer(this.#left, room);
      this.#rising = longerIntegers(this.#rising, room);
      this.#seen = longerIntegers(this.#seen, room);
    }
    const alone = resource.perMsOf(1);
    this.#level[row] = alone;
    this.#left[row] = alone;
  }

  /**
   * The rate of a flow that starts between two fillings: the free capacity of its resources, or the
   * same rate as their other flows.
   */
  joinRate(flow: Flow): number {
    const { bound, first, listed, used } = this.#flows;
    let rate = bound[flow]!;
    const end = first[flow]! + listed[flow]!;
    for (let use = first[flow]!; use < end; use += 1) {
      const row = used[use]!;
      rate = Math.min(rate, Math.max(this.#level[row]!, this.#left[row]!));
    }
    return rate;
  }

  /** Takes a rate from the flow's resources. A resource without a limit never runs low. */
  take(flow: Flow, rate: number): void {
    if (Math.abs(rate) === Number.POSITIVE_INFINITY) return;
    const { first, listed, used } = this.#flows;
    const end = first[flow]! + listed[flow]!;
    for (let use = first[flow]!; use < end; use += 1) this.#left[used[use]!]! -= rate;
  }

  fill(touched: readonly Resource[]): readonly Flow[] {
    this.#fillings += 1;
    this.#found.length = 0;
    const room = this.#flows.size.length;
    if (this.#met.length < room) {
      this.#met = longerIntegers(this.#met, room);
      this.#settled = longerIntegers(this.#settled, room);
    }
    for (const resource of touched) this.#fillFrom(resource);
    // An idle one waits for its first flow: the next filling then finds it touched.
    for (const { dependents } of touched) {
      for (const one of dependents) if (one.streams > 0) this.#fillFrom(one);
    }
    return this.#found;
  }

  #fillFrom(resource: Resource): void {
    if (this.#seen[resource.row] !== this.#fillings) this.#rise(this.#component(resource));
  }

  /** Finds everything connected to a resource; returns the resources. */
  #component(start: Resource): readonly Resource[] {
    const filling = this.#fillings;
    const { bound, flows, first, listed, resources: byRow, table, used } = this.#flows;
    const { lengths, limited, starts, uses } = table;
    this.#seen[start.row] = filling;
    const resources = [start];
    for (const { row, perMs } of resources) {
      const streams = lengths[row]!;
      const from = starts[row]!;
      this.#left[row] = perMs;
      this.#level[row] = perMs / (streams + 1);
      this.#rising[row] = streams;
      for (let i = from; i < from + streams; i += 1) {
        const flow = flows[uses[i]!]!;
        if (this.#met[flow] === filling) continue;
        this.#met[flow] = filling;
        this.#found.push(flow);
        if (bound[flow]! < Number.POSITIVE_INFINITY) this.#levels.push(bound[flow]!, -1 - flow);
        const end = first[flow]! + listed[flow]!;
        for (let use = first[flow]!; use < end; use += 1) {
          const other = used[use]!;
          if (this.#seen[other] === filling || limited[other] === 0) continue;
          this.#seen[other] = filling;
          resources.push(byRow[other]!);
        }
      }
    }
    return resources;
  }

  /**
   * The levels at which resources fill only rise as flows stop rising, so a level in the heap is a
   * lower bound, worked out again when it reaches the top.
   */
  #rise(resources: readonly Resource[]): void {
    const levels = this.#levels;
    for (const { row } of resources) {
      const rising = this.#rising[row]!;
      if (rising > 0) levels.push(this.#left[row]! / rising, row);
    }
    let level = 0;
    while (levels.size > 0) {
      const due = levels.nextTime;
      const what = levels.first;
      if (what < 0) {
        levels.pop();
        if (this.#settled[-1 - what] === this.#fillings) continue;
        level = Math.max(level, due);
        this.#settle(-1 - what, level);
        continue;
      }
      const rising = this.#rising[what]!;
      const full = Math.max(0, this.#left[what]!) / rising;
      if (rising > 0 && full > due * (1 + SAME_RATE)) {
        levels.delayFirst(full);
        continue;
      }
      levels.pop();
      if (rising === 0) continue;
      level = Math.max(level, full);
      this.#stopFlows(what, level);
    }
  }

  #stopFlows(row: number, level: number): void {
    this.#level[row] = level;
    const { flows, table } = this.#flows;
    const { lengths, starts, uses } = table;
    const end = starts[row]! + lengths[row]!;
    for (let i = starts[row]!; i < end; i += 1) {
      const flow = flows[uses[i]!]!;
      if (this.#settled[flow] !== this.#fillings) this.#settle(flow, level);
    }
  }

  #settle(flow: Flow, level: number): void {
    const { fair, first, listed, used } = this.#flows;
    this.#settled[flow] = this.#fillings;
    fair[flow] = level;
    const taken = level < Number.POSITIVE_INFINITY ? level : 0;
    const end = first[flow]! + listed[flow]!;
    for (let use = first[flow]!; use < end; use += 1) {
      const row = used[use]!;
      this.#left[row]! -= taken;
      this.#rising[row]! -= 1;
    }
  }
}
