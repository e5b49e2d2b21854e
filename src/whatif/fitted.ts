import { InputError } from "../base/input-error.ts";
import { cell } from "../base/rows.ts";
import { type Expectation, fitOf } from "../diagnose/expect/expect.ts";
import type { Signals } from "../diagnose/expect/signals.ts";
import { DEFAULT_LIMITS } from "../diagnose/limits.ts";
import { planOf } from "../diagnose/schedule/plan.ts";
import type { Plan } from "../diagnose/schedule/planned.ts";
import { recordedTiming, type Timing } from "../diagnose/schedule/schedule.ts";
import type { TraceJob } from "../history/model.ts";
import type { RecordedPhase } from "../hosts/sim/index.ts";
import { type Luck, luckOf } from "./luck.ts";
import type { Sample, Sampler } from "./sample.ts";
import { type JobShape, type PhaseShape, shapeOf } from "./shape.ts";
import { type Waits, waitsOf } from "./waits.ts";

/** A diagnosed job, from which runs are made. */
export interface Fitted {
  readonly plan: Plan;
  readonly timing: Timing;
  readonly signals: Signals;
  readonly expectation: Expectation;
  readonly luck: Luck;
  readonly waits: Waits;
  readonly shape: JobShape;
  /** Of a large job, what is simulated in its place. */
  readonly sample?: Sample;
  /** The tasks of phases in runs that draw nothing, once they are made. */
  readonly undrawn: Readonly<Record<"pinned" | "free", WeakMap<PhaseShape, Tasks>>>;
}

type Tasks = RecordedPhase["tasks"];

/** InputError if no attempt of the job ran. */
export function fitted(job: TraceJob, sampler?: Sampler): Fitted {
  const plan = planOf(job);
  if (plan.count === 0) throw new InputError("bad-input", job.id, "expected attempts that ran");
  const timing = recordedTiming(plan);
  const { signals, expectation } = fitOf(plan, timing.own, { limits: DEFAULT_LIMITS, seed: 1 });
  const luck = luckOf(plan, signals, expectation);
  const waits = waitsOf(plan, timing, luck.expectedMs);
  const shape = shapeOf(plan, expectation);
  const sample = sampler?.(plan, shape);
  return {
    ...{ plan, timing, signals, expectation, luck, waits, shape },
    undrawn: { pinned: new WeakMap(), free: new WeakMap() },
    ...(sample !== undefined && { sample }),
  };
}

/** The attempt's time on its node. */
export const factorOf = ({ expectation }: Fitted, i: number): number => cell(expectation.slowed[i]);
