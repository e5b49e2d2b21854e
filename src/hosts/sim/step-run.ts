import type { Amounts } from "../../model/progress.ts";
import type { FlowOwner } from "./flow-owner.ts";
import { type Fluid, type FluidFlow, remainingAt } from "./fluid/fluid.ts";
import type { WorkStep } from "./steps.ts";
import type { Way } from "./way.ts";

interface Pace {
  /** Share of the step. */
  readonly done: number;
  /** Of which there is so much more each millisecond. */
  readonly perMs: number;
}

/** A step under way: what flows, and what a core computes meanwhile. It is over when both are. */
export class StepRun {
  readonly step: WorkStep;
  readonly #fluid: Fluid<FlowOwner>;
  readonly #owner: FlowOwner;
  /** The share after which the attempt fails; 1: all of it. */
  readonly #part: number;
  #flow: FluidFlow<FlowOwner> | undefined;
  #computing: FluidFlow<FlowOwner> | undefined;
  /** What had flowed before the present flow. */
  #doneBefore = 0;

  constructor(from: {
    readonly step: WorkStep;
    readonly part: number;
    readonly fluid: Fluid<FlowOwner>;
    readonly owner: FlowOwner;
  }) {
    this.step = from.step;
    this.#part = from.part;
    this.#fluid = from.fluid;
    this.#owner = from.owner;
  }

  /** Bytes, or milliseconds of a core, that are still to flow. */
  get left(): number {
    return Math.max(0, this.step.size * this.#part - this.#doneBefore);
  }

  /** So much of it needs no time. */
  skip(size: number): void {
    this.#doneBefore += size;
  }

  flow(now: number, way: Way): void {
    this.#flow = this.#fluid.start(now, { tag: this.#owner, ...way, size: this.left });
  }

  compute(now: number, way: Way): void {
    const size = this.step.computeMs * this.#part;
    this.#computing = this.#fluid.start(now, { tag: this.#owner, ...way, size });
  }

  /** What flows is interrupted. Returns false if all has flowed already. */
  cut(now: number): boolean {
    const flow = this.#flow;
    if (flow === undefined) return false;
    this.#fluid.stop(now, flow);
    this.#doneBefore += flow.size - flow.remaining;
    this.#flow = undefined;
    return true;
  }

  owns(flow: FluidFlow<FlowOwner>): boolean {
    return this.#flow === flow || this.#computing === flow;
  }

  /** One of its flows has ended. Returns whether that was the last. */
  flowEnded(flow: FluidFlow<FlowOwner>): boolean {
    if (this.#flow === flow) this.#flow = undefined;
    else this.#computing = undefined;
    return this.#flow === undefined && this.#computing === undefined;
  }

  /** Of two things done at once, the slower. */
  pace(now: number): Pace {
    let slower: Pace = { done: 1, perMs: 0 };
    if (this.#flow !== undefined && this.#flow.size > 0) {
      const { size, rate } = this.#flow;
      const flowed = this.#doneBefore + size - remainingAt(this.#flow, now);
      slower = { done: flowed / this.step.size, perMs: rate / this.step.size };
    } else if (this.#flow !== undefined) {
      slower = { done: this.#doneBefore / this.step.size, perMs: 0 };
    }
    if (this.#computing !== undefined) {
      const { computeMs } = this.step;
      const { size, rate } = this.#computing;
      const done = (size - remainingAt(this.#computing, now)) / computeMs;
      if (done < slower.done) slower = { done, perMs: rate / computeMs };
    }
    return slower;
  }

  /** The cores that it may use alone have changed. */
  boundCores(bound: number): void {
    if (this.#flow !== undefined && this.step.on === "cores") {
      this.#fluid.setBound(this.#flow, bound);
    }
    if (this.#computing !== undefined) this.#fluid.setBound(this.#computing, bound);
  }

  stop(now: number): void {
    if (this.#flow !== undefined) this.#fluid.stop(now, this.#flow);
    if (this.#computing !== undefined) this.#fluid.stop(now, this.#computing);
  }
}

/** With what a step adds, so many times. */
export function plus(amounts: Amounts, step: WorkStep, times: number): Amounts {
  return {
    score: amounts.score + step.score * times,
    bytesRead: amounts.bytesRead + step.bytesRead * times,
    bytesWritten: amounts.bytesWritten + step.bytesWritten * times,
    records: 0,
  };
}
