import { cell } from "../../base/rows.ts";
import { byCause, CAUSES, type Cause, OWN_CAUSES } from "../cause.ts";
import { addPath, type PathWeights } from "../schedule/path.ts";
import type { Plan } from "../schedule/planned.ts";
import { Scheduling, schedule, type Timing } from "../schedule/schedule.ts";
import type { AttemptCauses } from "./attempt-causes.ts";

/** Seconds of response per cause, along the critical path while all causes shrink together. */
export interface Shares {
  readonly delayMs: number;
  /** The response without any cause. */
  readonly usualMs: number;
  readonly ms: Readonly<Record<Cause, number>>;
  /**
   * The part that the sum of the path's seconds misses, because the schedule changed on the way.
   */
  readonly scheduleChangedMs: number;
  readonly weights: PathWeights;
  readonly steps: number;
}

const STEPS = 64;
const STEPS_MAX = 512;
const ERROR_MAX = 0.005;

/**
 * The Aumann-Shapley value of the game "which causes are taken away": share(c) is the integral over
 * l from 0 to 1 of the seconds of c on the critical path of T(l), in which each attempt is
 * shortened by l times its causes' seconds. The steps double while the shares miss the loss by more
 * than 0.5 % of the response.
 */
export function sharesOf(
  plan: Plan,
  waits: Float64Array,
  causes: AttemptCauses,
  responseMs: number,
): Shares {
  const all = totals(plan, causes);
  const recorded = responseAt(plan, waits, causes, 0, all);
  const delayMs = recorded - responseAt(plan, waits, causes, 1, all);
  let steps = STEPS;
  for (;;) {
    const weights = pathWeights(plan, waits, causes, { steps, within: 0.5, all });
    const ms = along(weights, causes);
    const sum = Object.values(ms).reduce((a, b) => a + b, 0);
    const missing = delayMs - sum;
    if (Math.abs(missing) > ERROR_MAX * responseMs && steps < STEPS_MAX) {
      steps *= 2;
      continue;
    }
    const usualMs = responseMs - delayMs;
    return { delayMs, usualMs, ms, scheduleChangedMs: missing, weights, steps };
  }
}

/**
 * The shares of one draw, at one place in each of a few steps; `within`: where in its step the
 * place lies, 0 to 1. Over many draws the places are spread over all paths.
 */
export function drawnShares(
  plan: Plan,
  waits: Float64Array,
  causes: AttemptCauses,
  at: { readonly steps: number; readonly within: number },
): Record<Cause, number> {
  const all = totals(plan, causes);
  return along(pathWeights(plan, waits, causes, { ...at, all }), causes);
}

function pathWeights(
  plan: Plan,
  waits: Float64Array,
  causes: AttemptCauses,
  { steps, within, all }: { steps: number; within: number; all: Float64Array },
): PathWeights {
  const weights = { own: new Float64Array(plan.count), wait: new Float64Array(plan.count) };
  const scheduling = new Scheduling(plan);
  const timing = { own: new Float64Array(plan.count), wait: new Float64Array(plan.count) };
  for (let step = 0; step < steps; step++) {
    shorten(timing, { waits, causes, l: (step + within) / steps, all });
    addPath(scheduling.run(timing), weights, 1 / steps);
  }
  return weights;
}

/** The seconds of each cause along these paths. */
function along(weights: PathWeights, causes: AttemptCauses): Record<Cause, number> {
  const dot = (a: Float64Array, b: Float64Array): number => {
    let total = 0;
    for (let i = 0; i < a.length; i++) total += cell(a[i]) * cell(b[i]);
    return total;
  };
  return byCause((cause) => {
    const own = cause === "waited-to-start" ? 0 : dot(weights.own, causes.ms[cause]);
    return hasWaits(cause) ? own + dot(weights.wait, waitsOf(causes, cause)) : own;
  });
}

/** A wait is one that a loss made, or any other. */
const hasWaits = (cause: Cause): boolean => cause === "retries" || cause === "waited-to-start";

/** The part of each attempt's excess wait that belongs to the cause. */
export function waitsOf({ waitMs, isRetryWait }: AttemptCauses, cause: Cause): Float64Array {
  if (!hasWaits(cause)) return new Float64Array(waitMs.length);
  const wanted = cause === "retries" ? 1 : 0;
  return waitMs.map((ms, i) => (isRetryWait[i] === wanted ? ms : 0));
}

/** When the last task is done without these causes. */
export function doneWithout(
  plan: Plan,
  waits: Float64Array,
  causes: AttemptCauses,
  removed: readonly Cause[],
): number {
  const own = causes.own.slice();
  const wait = waits.slice();
  for (const cause of removed) {
    const ms = cause === "waited-to-start" ? undefined : causes.ms[cause];
    const excess = waitsOf(causes, cause);
    for (let i = 0; i < own.length; i++) {
      if (ms !== undefined) own[i] = cell(own[i]) - cell(ms[i]);
      wait[i] = cell(wait[i]) - cell(excess[i]);
    }
  }
  return schedule(plan, { own: own.map((ms) => Math.max(0, ms)), wait }).doneAt;
}

/**
 * What fixing the cause would save after all others that have a reason: attempts keep the luck that
 * they had.
 */
export function lastMs(
  plan: Plan,
  waits: Float64Array,
  causes: AttemptCauses,
  cause: Cause,
): number {
  const others = CAUSES.filter((one) => one !== cause && one !== "unexplained");
  const all = doneWithout(plan, waits, causes, [...others, cause]);
  return doneWithout(plan, waits, causes, others) - all;
}

/** T(0): when the last task is done with all causes. */
export const recordedDoneAt = (plan: Plan, wait: Float64Array, { own }: AttemptCauses): number =>
  schedule(plan, { own, wait }).doneAt;

function totals(plan: Plan, causes: AttemptCauses): Float64Array {
  const total = new Float64Array(plan.count);
  for (const cause of OWN_CAUSES) {
    const column = causes.ms[cause];
    for (let i = 0; i < total.length; i++) total[i] = cell(total[i]) + cell(column[i]);
  }
  return total;
}

/** The timing without any cause: T(1). */
export const usualTiming = (plan: Plan, waits: Float64Array, causes: AttemptCauses): Timing =>
  shortened(waits, causes, 1, totals(plan, causes));

/** The timing at which every attempt and wait has lost l times what its causes took. */
function shortened(
  waits: Float64Array,
  causes: AttemptCauses,
  l: number,
  all: Float64Array,
): Timing {
  const { length } = waits;
  return shorten(
    { own: new Float64Array(length), wait: new Float64Array(length) },
    { waits, causes, l, all },
  );
}

/** The same, in the memory of another timing. */
function shorten(
  timing: Timing,
  of: {
    readonly waits: Float64Array;
    readonly causes: AttemptCauses;
    readonly l: number;
    readonly all: Float64Array;
  },
): Timing {
  const { waits, causes, l, all } = of;
  const { own, wait } = timing;
  for (let i = 0; i < waits.length; i++) {
    own[i] = Math.max(0, cell(causes.own[i]) - l * cell(all[i]));
    wait[i] = cell(waits[i]) - l * cell(causes.waitMs[i]);
  }
  return timing;
}

function responseAt(
  plan: Plan,
  waits: Float64Array,
  causes: AttemptCauses,
  l: number,
  all: Float64Array,
): number {
  return schedule(plan, shortened(waits, causes, l, all)).doneAt;
}
