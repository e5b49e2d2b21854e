import { assert } from "../../../base/assert.ts";
import { EventHeap } from "../../../base/heap.ts";
import { type Capacity, capacityAt } from "./capacity.ts";

/** A shared resource: a disk, the cores of a host, one direction of a link. */
export interface Resource<T = unknown> {
  readonly name: string;
  capacity: Capacity;
  readonly flows: FluidFlow<T>[];
  /** The fill level at the last solving: the rate of the flows that this resource limits. */
  level: number;
  /** The share of the resource that is free. */
  left: number;
  /** Scratch of the solver. */
  rising: number;
  visit: number;
}

/** A flow through resources at one rate: bytes of a transfer, milliseconds of a core. */
export interface FluidFlow<T = unknown> {
  /** The owner of the flow. */
  readonly tag: T;
  readonly uses: readonly Resource<T>[];
  readonly size: number;
  /** The flow's index in each resource's list. */
  readonly places: number[];
  bound: number;
  /** The work left at `since`. */
  remaining: number;
  since: number;
  /** Units per millisecond. */
  rate: number;
  /** The handle in the heap of completions; undefined once the flow has ended. */
  handle: number | undefined;
  readonly index: number;
  nextRate: number;
  visit: number;
  settled: number;
}

export interface FlowStart<T> {
  readonly tag: T;
  readonly uses: readonly Resource<T>[];
  /** Units of work. */
  readonly size: number;
  /** The highest rate of the flow, in units per millisecond. */
  readonly bound?: number;
}

/** Completions closer together than this count as one instant, in milliseconds. */
const SAME_INSTANT_MS = 1e-9;
/** A relative change of a rate below this counts as no change. */
const SAME_RATE = 1e-12;

export interface FluidOptions<T> {
  /** Called for each flow whose rate has changed, with its remaining work up to date. */
  readonly onRate?: (flow: FluidFlow<T>) => void;
  /**
   * Milliseconds between two solvings; 0 solves at every change. In between, a flow that starts
   * takes what is left of its resources, or as much as their other flows get.
   */
  readonly shareEveryMs?: number;
}

/**
 * Max-min fair sharing over time. A change re-solves only the connected component that it touches,
 * and all changes of one instant, or of `shareEveryMs`, are solved together.
 *
 * COST: O(flows and resources of the touched components, log resources) each time.
 */
export class Fluid<T> {
  readonly #completions = new EventHeap();
  readonly #levels = new EventHeap();
  #flows: (FluidFlow<T> | undefined)[] = [];
  #freeIndexes: number[] = [];
  #touched: Resource<T>[] = [];
  #visits = 0;
  readonly #onRate: (flow: FluidFlow<T>) => void;
  readonly #shareEveryMs: number;
  /** When rates are solved next, if anything changes before then. */
  #shareAt = 0;
  /** Whether flows have come or gone, or rates have changed, since `nextCompletion`. */
  #moved = false;

  constructor({ onRate = () => {}, shareEveryMs = 0 }: FluidOptions<T> = {}) {
    this.#onRate = onRate;
    this.#shareEveryMs = shareEveryMs;
  }

  addResource(name: string, capacity: Capacity): Resource<T> {
    const alone = capacityAt(capacity, 1);
    return { name, capacity, flows: [], level: alone, left: alone, rising: 0, visit: 0 };
  }

  start(
    now: number,
    { tag, uses, size, bound = Number.POSITIVE_INFINITY }: FlowStart<T>,
  ): FluidFlow<T> {
    const index = this.#freeIndexes.pop() ?? this.#flows.length;
    const flow: FluidFlow<T> = {
      tag,
      uses,
      size,
      places: [],
      bound,
      remaining: size,
      since: now,
      rate: 0,
      handle: this.#completions.push(size > 0 ? Number.POSITIVE_INFINITY : now, index),
      index,
      nextRate: 0,
      visit: 0,
      settled: 0,
    };
    this.#flows[index] = flow;
    for (const resource of uses) {
      flow.places.push(resource.flows.length);
      resource.flows.push(flow);
    }
    this.#touch(flow);
    if (uses.length === 0) this.#setRate(now, flow, bound);
    else if (now < this.#shareAt) this.#join(now, flow);
    return flow;
  }

  /** A flow that starts gets a rate before the next solving. */
  #join(now: number, flow: FluidFlow<T>): void {
    let rate = flow.bound;
    for (const { level, left } of flow.uses) rate = Math.min(rate, Math.max(level, left));
    take(flow, rate);
    this.#setRate(now, flow, rate);
  }

  /** Ends the flow early; the work left stays in `remaining`. */
  stop(now: number, flow: FluidFlow<T>): void {
    if (flow.handle === undefined) return;
    bringUpToDate(flow, now);
    this.#completions.remove(flow.handle);
    this.#forget(flow);
  }

  /** Changes the flow's highest rate. */
  setBound(flow: FluidFlow<T>, bound: number): void {
    flow.bound = bound;
    this.#touch(flow);
    this.#shareAt = 0;
  }

  setCapacity(resource: Resource<T>, capacity: Capacity): void {
    resource.capacity = capacity;
    this.#touched.push(resource);
    this.#moved = true;
    this.#shareAt = 0;
  }

  /** Whether something has changed since `nextCompletion`. */
  get isUnsettled(): boolean {
    return this.#moved;
  }

  /**
   * When the next flow ends at current rates, or when rates are solved next; Infinity if neither
   * happens.
   */
  nextCompletion(now: number): number {
    this.#settle(now);
    this.#moved = false;
    const next = this.#completions.nextTime;
    return this.#touched.length > 0 ? Math.min(next, this.#shareAt) : next;
  }

  /** The flows that end now, in the order of their ends. They no longer use their resources. */
  takeCompleted(now: number): FluidFlow<T>[] {
    this.#settle(now);
    const completed: FluidFlow<T>[] = [];
    while (this.#completions.nextTime <= now + SAME_INSTANT_MS) {
      const flow = this.#flows[this.#completions.pop()];
      assert(flow !== undefined, "a completion belongs to a flow");
      flow.remaining = 0;
      flow.since = now;
      this.#forget(flow);
      completed.push(flow);
    }
    return completed;
  }

  /** Skips resources without a limit, unless nothing else leads to the flow. */
  #touch(flow: FluidFlow<T>): void {
    this.#moved = true;
    const limited = flow.uses.filter(({ capacity }) => capacity !== Number.POSITIVE_INFINITY);
    for (const resource of limited.length > 0 ? limited : flow.uses) this.#touched.push(resource);
  }

  #forget(flow: FluidFlow<T>): void {
    this.#touch(flow);
    take(flow, -flow.rate);
    for (const [use, resource] of flow.uses.entries()) {
      const place = flow.places[use] ?? 0;
      const last = resource.flows.pop();
      if (last === undefined || last === flow) continue;
      resource.flows[place] = last;
      last.places[last.uses.indexOf(resource)] = place;
    }
    flow.handle = undefined;
    flow.rate = 0;
    this.#flows[flow.index] = undefined;
    this.#freeIndexes.push(flow.index);
  }

  #settle(now: number): void {
    if (this.#touched.length === 0 || now < this.#shareAt) return;
    this.#shareAt = now + this.#shareEveryMs;
    this.#visits += 1;
    const touched = this.#touched;
    this.#touched = [];
    const flows: FluidFlow<T>[] = [];
    for (const resource of touched) {
      if (resource.visit === this.#visits) continue;
      const first = flows.length;
      this.#solve(this.#component(resource, flows));
      for (let i = first; i < flows.length; i += 1) {
        const flow = flows[i];
        if (flow !== undefined) this.#setRate(now, flow, flow.nextRate);
      }
    }
  }

  /** Collects everything connected to a resource: appends the flows, returns the resources. */
  #component(start: Resource<T>, flows: FluidFlow<T>[]): Resource<T>[] {
    const visit = this.#visits;
    start.visit = visit;
    const resources = [start];
    for (const resource of resources) {
      resource.left = capacityAt(resource.capacity, resource.flows.length);
      resource.level = resource.left / (resource.flows.length + 1);
      resource.rising = resource.flows.length;
      for (const flow of resource.flows) {
        if (flow.visit === visit) continue;
        flow.visit = visit;
        flows.push(flow);
        if (flow.bound < Number.POSITIVE_INFINITY) this.#levels.push(flow.bound, -1 - flow.index);
        for (const other of flow.uses) {
          // A resource without a limit connects no flows.
          if (other.visit === visit || other.capacity === Number.POSITIVE_INFINITY) continue;
          other.visit = visit;
          resources.push(other);
        }
      }
    }
    return resources;
  }

  /**
   * Progressive filling. The levels at which resources fill only rise as flows stop rising, so a
   * level in the heap is a lower bound, computed again when it reaches the top.
   */
  #solve(resources: readonly Resource<T>[]): void {
    for (const [i, resource] of resources.entries()) {
      if (resource.rising > 0) this.#levels.push(resource.left / resource.rising, i);
    }
    let level = 0;
    while (this.#levels.size > 0) {
      const due = this.#levels.nextTime;
      const payload = this.#levels.pop();
      if (payload < 0) {
        const flow = this.#flows[-1 - payload];
        if (flow !== undefined && flow.settled !== this.#visits) {
          level = Math.max(level, due);
          this.#stopRising(flow, level);
        }
        continue;
      }
      const resource = resources[payload];
      if (resource === undefined || resource.rising === 0) continue;
      const full = Math.max(0, resource.left) / resource.rising;
      if (full > due * (1 + SAME_RATE)) {
        this.#levels.push(full, payload);
        continue;
      }
      level = Math.max(level, full);
      resource.level = level;
      for (const flow of resource.flows) {
        if (flow.settled !== this.#visits) this.#stopRising(flow, level);
      }
    }
  }

  #stopRising(flow: FluidFlow<T>, level: number): void {
    flow.settled = this.#visits;
    flow.nextRate = level;
    for (const resource of flow.uses) {
      if (level < Number.POSITIVE_INFINITY) resource.left -= level;
      resource.rising -= 1;
    }
  }

  #setRate(now: number, flow: FluidFlow<T>, rate: number): void {
    const same = Math.abs(rate - flow.rate) <= SAME_RATE * Math.min(rate, flow.rate);
    if (rate === flow.rate || same) return;
    bringUpToDate(flow, now);
    flow.rate = rate;
    if (flow.handle !== undefined) {
      this.#completions.move(flow.handle, flow.remaining > 0 ? now + flow.remaining / rate : now);
    }
    this.#onRate(flow);
  }
}

/** An unlimited resource never runs low. */
function take(flow: FluidFlow, rate: number): void {
  if (Math.abs(rate) === Number.POSITIVE_INFINITY) return;
  for (const resource of flow.uses) resource.left -= rate;
}

/** The flow's work left at `now`. */
export function remainingAt(flow: FluidFlow, now: number): number {
  if (now <= flow.since) return flow.remaining;
  return Math.max(0, flow.remaining - flow.rate * (now - flow.since));
}

function bringUpToDate(flow: FluidFlow, now: number): void {
  flow.remaining = remainingAt(flow, now);
  flow.since = now;
}
