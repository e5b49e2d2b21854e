import { NONE } from "../../../base/columns.ts";
import { EventHeap } from "../../../base/heap.ts";
import type { Capacity } from "./capacity.ts";
import { type Filling, SAME_RATE } from "./filling.ts";
import { type Flow, FlowTable } from "./flow-table.ts";
import { Refill } from "./refill.ts";
import { Repair } from "./repair.ts";
import { Resource } from "./resource.ts";

export type { Flow } from "./flow-table.ts";
export { Resource } from "./resource.ts";

export interface FlowStart<T> {
  /** The owner of the flow. */
  readonly tag: T;
  /** Each resource once. */
  readonly uses: readonly Resource[];
  /** Units of work: bytes of a transfer, milliseconds of a core. */
  readonly size: number;
  /** The highest rate of the flow, in units per millisecond. */
  readonly bound?: number;
}

/** Completions closer together than this count as one instant, in milliseconds. */
const SAME_INSTANT_MS = 1e-9;
const MANY_FLOWS = 512;

export interface FluidOptions<T> {
  /** Called with the owner of each flow whose rate has changed. */
  readonly onRate?: (tag: T) => void;
  /**
   * Milliseconds between two solvings; 0 solves at every change. In between, a new flow takes the
   * free capacity of its resources, or the same rate as their other flows.
   */
  readonly shareEveryMs?: number;
  /**
   * With more flows than this at a time, changes are repaired, unless they are solved at intervals.
   * With fewer flows a change affects most of them.
   */
  readonly manyFlows?: number;
}

/**
 * Max-min fair sharing over time. All changes of one instant, or of `shareEveryMs`, are solved
 * together, and only where they have an effect.
 */
export class Fluid<T> {
  readonly #flows = new FlowTable<T>();
  readonly #refill = new Refill(this.#flows);
  #filling: Filling = this.#refill;
  readonly #completions = new EventHeap();
  readonly #touched: Resource[] = [];
  readonly #completed: Flow[] = [];
  readonly #onRate: (tag: T) => void;
  readonly #shareEveryMs: number;
  readonly #manyFlows: number;
  /** When rates are solved next, if anything changes before then. */
  #shareAt = 0;
  /** Whether flows have come or gone, or rates have changed, since `nextCompletion`. */
  #moved = false;

  constructor({
    onRate = () => {},
    shareEveryMs = 0,
    manyFlows = MANY_FLOWS,
  }: FluidOptions<T> = {}) {
    this.#onRate = onRate;
    this.#shareEveryMs = shareEveryMs;
    this.#manyFlows = manyFlows;
  }

  addResource(name: string, capacity: Capacity): Resource {
    const resource = new Resource(name, this.#flows.table, capacity);
    this.#flows.resources.push(resource);
    this.#filling.addResource(resource);
    return resource;
  }

  start(now: number, { tag, uses, size, bound = Number.POSITIVE_INFINITY }: FlowStart<T>): Flow {
    const flows = this.#flows;
    const flow = flows.add(tag, uses);
    flows.size[flow] = size;
    flows.remaining[flow] = size;
    flows.since[flow] = now;
    flows.bound[flow] = bound;
    if (size === 0) this.#foresee(flow, now);
    this.#touch(flow);
    if (uses.length === 0) this.#setRate(now, flow, bound);
    else if (now < this.#shareAt) this.#join(now, flow);
    return flow;
  }

  /** A flow that starts gets a rate before the next solving. */
  #join(now: number, flow: Flow): void {
    const rate = this.#refill.joinRate(flow);
    this.#refill.take(flow, rate);
    this.#setRate(now, flow, rate);
  }

  /** Ends the flow early. Returns the work left, 0 if the flow has ended. */
  stop(now: number, flow: Flow): number {
    if (!this.#flows.isLive(flow)) return 0;
    const left = this.remainingAt(flow, now);
    this.#foresee(flow, Number.POSITIVE_INFINITY);
    this.#forget(flow);
    this.#flows.free(flow);
    return left;
  }

  /** Changes the flow's highest rate. */
  setBound(flow: Flow, bound: number): void {
    if (!this.#flows.isLive(flow)) return;
    this.#flows.bound[flow] = bound;
    this.#flows.limit[flow] = NONE;
    this.#touch(flow);
    this.#shareAt = 0;
  }

  setCapacity(resource: Resource, capacity: Capacity): void {
    const { isLimited } = resource;
    resource.setCapacity(capacity);
    if (resource.isLimited && !isLimited) this.#flows.listAll(resource.row);
    this.#touchResource(resource.row);
    this.#moved = true;
    this.#shareAt = 0;
  }

  /**
   * Makes the capacity a share of what others use, worked out again whenever flows come to `of` or
   * leave it.
   */
  setShare(resource: Resource, of: Resource, perMs: () => number): void {
    if (!of.dependents.includes(resource)) of.dependents.push(resource);
    this.setCapacity(resource, perMs);
  }

  sizeOf(flow: Flow): number {
    return this.#flows.size[flow]!;
  }

  /** Units per millisecond. */
  rateOf(flow: Flow): number {
    return this.#flows.rate[flow]!;
  }

  /** The work left at a time from the last change on. */
  remainingAt(flow: Flow, now: number): number {
    const remaining = this.#flows.remaining[flow]!;
    const ran = now - this.#flows.since[flow]!;
    return ran <= 0 ? remaining : Math.max(0, remaining - this.#flows.rate[flow]! * ran);
  }

  /** The owner of a flow that is live or was taken last. */
  ownerOf(flow: Flow): T {
    return this.#flows.tags[flow]!;
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
    this.#freeCompleted();
    this.#settle(now);
    this.#moved = false;
    const next = this.#completions.nextTime;
    return this.#touched.length > 0 ? Math.min(next, this.#shareAt) : next;
  }

  /**
   * The flows that end now, in the order of their ends. They no longer use their resources, and
   * keep their rows until the next call of this or of `nextCompletion`.
   */
  takeCompleted(now: number): readonly Flow[] {
    this.#freeCompleted();
    this.#settle(now);
    while (this.#completions.nextTime <= now + SAME_INSTANT_MS) {
      const flow = this.#completions.pop();
      this.#flows.remaining[flow] = 0;
      this.#flows.since[flow] = now;
      this.#flows.handle[flow] = NONE;
      this.#forget(flow);
      this.#completed.push(flow);
    }
    return this.#completed;
  }

  #freeCompleted(): void {
    for (const flow of this.#completed) this.#flows.free(flow);
    this.#completed.length = 0;
  }

  /** Touches resources without a limit only if nothing else leads to the flow. */
  #touch(flow: Flow): void {
    this.#moved = true;
    const { count, first, listed, table, used } = this.#flows;
    const start = first[flow]!;
    const end = start + listed[flow]!;
    let isLimited = false;
    for (let use = start; use < end; use += 1) {
      const row = used[use]!;
      if (table.limited[row] === 0) continue;
      isLimited = true;
      this.#touchResource(row);
    }
    if (isLimited) return;
    const last = start + count[flow]!;
    for (let use = start; use < last; use += 1) this.#touchResource(used[use]!);
  }

  #touchResource(row: number): void {
    const { resources, table } = this.#flows;
    if (table.touched[row] === 1) return;
    table.touched[row] = 1;
    this.#touched.push(resources[row]!);
  }

  #forget(flow: Flow): void {
    this.#touch(flow);
    if (this.#shareEveryMs > 0) this.#refill.take(flow, -this.#flows.rate[flow]!);
    this.#flows.takeOff(flow);
    this.#flows.rate[flow] = 0;
  }

  #settle(now: number): void {
    if (this.#touched.length === 0 || now < this.#shareAt) return;
    this.#shareAt = now + this.#shareEveryMs;
    if (this.#filling === this.#refill && this.#isLarge) this.#repairFromNowOn();
    const found = this.#filling.fill(this.#touched);
    for (const { row } of this.#touched) this.#flows.table.touched[row] = 0;
    this.#touched.length = 0;
    for (const flow of found) this.#setRate(now, flow, this.#flows.fair[flow]!);
  }

  get #isLarge(): boolean {
    return this.#shareEveryMs === 0 && this.#flows.live > this.#manyFlows;
  }

  #repairFromNowOn(): void {
    const repair = new Repair(this.#flows);
    for (const resource of this.#flows.resources) {
      repair.addResource(resource);
      this.#touchResource(resource.row);
    }
    this.#filling = repair;
  }

  #setRate(now: number, flow: Flow, rate: number): void {
    const flows = this.#flows;
    const old = flows.rate[flow]!;
    if (rate === old || Math.abs(rate - old) <= SAME_RATE * Math.min(rate, old)) return;
    const remaining = this.remainingAt(flow, now);
    flows.remaining[flow] = remaining;
    flows.since[flow] = now;
    flows.rate[flow] = rate;
    this.#foresee(flow, remaining > 0 ? now + remaining / rate : now);
    this.#onRate(flows.tags[flow]!);
  }

  /** The flow's end at current rates; Infinity: there is none. */
  #foresee(flow: Flow, end: number): void {
    const { handle } = this.#flows;
    const before = handle[flow]!;
    if (end === Number.POSITIVE_INFINITY) {
      if (before !== NONE) this.#completions.remove(before);
      handle[flow] = NONE;
    } else if (before === NONE) handle[flow] = this.#completions.push(end, flow);
    else this.#completions.move(before, end);
  }
}
