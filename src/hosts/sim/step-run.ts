import type { Amounts } from "../../model/progress.ts";
import type { FlowOwner } from "./flow-owner.ts";
import type { Flow, Fluid } from "./fluid/fluid.ts";
import type { WorkStep } from "./steps.ts";
import type { Way } from "./way.ts";

interface Pace {
  /** The share of the step that is done. */
  readonly done: number;
  /** The growth of that share per millisecond. */
  readonly perMs: number;
}

/**
 * A step under way: a flow, and a computation at the same time. The step ends when both have ended.
 */
export class StepRun {
  readonly step: WorkStep;
  readonly #fluid: Fluid<FlowOwner>;
  readonly #owner: FlowOwner;
  /** The share after which the attempt fails; 1 if the whole step runs. */
  readonly #part: number;
  #flow: Flow | undefined;
  #computing: Flow | undefined;
  /** The amount that flowed before the current flow. */
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

  /** Counts this much of the step as done in no time. */
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

  /** Interrupts the flow. Returns false if all has flowed already. */
  cut(now: number): boolean {
    const flow = this.#flow;
    if (flow === undefined) return false;
    this.#doneBefore += this.#fluid.sizeOf(flow) - this.#fluid.stop(now, flow);
    this.#flow = undefined;
    return true;
  }

  owns(flow: Flow): boolean {
    return this.#flow === flow || this.#computing === flow;
  }

  /** One of the step's flows has ended. Returns whether it was the last. */
  flowEnded(flow: Flow): boolean {
    if (this.#flow === flow) this.#flow = undefined;
    else this.#computing = undefined;
    return this.#flow === undefined && this.#computing === undefined;
  }

  /** The pace of the slower of the two flows. */
  pace(now: number): Pace {
    const fluid = this.#fluid;
    const size = this.#flow === undefined ? 0 : fluid.sizeOf(this.#flow);
    let slower: Pace = { done: 1, perMs: 0 };
    if (this.#flow !== undefined && size > 0) {
      const flowed = this.#doneBefore + size - fluid.remainingAt(this.#flow, now);
      slower = { done: flowed / this.step.size, perMs: fluid.rateOf(this.#flow) / this.step.size };
    } else if (this.#flow !== undefined) {
      slower = { done: this.#doneBefore / this.step.size, perMs: 0 };
    }
    if (this.#computing !== undefined) {
      const { computeMs } = this.step;
      const computed = fluid.sizeOf(this.#computing) - fluid.remainingAt(this.#computing, now);
      const done = computed / computeMs;
      if (done < slower.done) slower = { done, perMs: fluid.rateOf(this.#computing) / computeMs };
    }
    return slower;
  }

  /** Sets the number of cores that the step may use alone. */
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

/** The amounts plus what a step adds, times `times`. */
export function plus(amounts: Amounts, step: WorkStep, times: number): Amounts {
  return {
    score: amounts.score + step.score * times,
    bytesRead: amounts.bytesRead + step.bytesRead * times,
    bytesWritten: amounts.bytesWritten + step.bytesWritten * times,
    records: 0,
  };
}
