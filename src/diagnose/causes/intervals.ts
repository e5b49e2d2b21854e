import { exp, log } from "../../base/math.ts";
import { nextFloat, normal, type RandomState, randomState } from "../../base/random.ts";
import { recordOf } from "../../base/record-of.ts";
import { cell } from "../../base/rows.ts";
import { percentile } from "../../base/stats.ts";
import { byCause, type Cause, declarationOf } from "../cause.ts";
import { drawnExpectation, type Expectation, type ExpectOptions } from "../expect/expect.ts";
import type { Signals } from "../expect/signals.ts";
import type { Idle } from "../response/idle.ts";
import { PARTS, type Part } from "../response/part.ts";
import { type AsRan, type Parts, partsOf } from "../response/parts.ts";
import type { PathWeights } from "../schedule/path.ts";
import type { Plan } from "../schedule/planned.ts";
import { schedule, type Timing } from "../schedule/schedule.ts";
import { type AttemptCauses, attemptCauses, phaseWaits } from "./attempt-causes.ts";
import { drawnShares, recordedDoneAt, usualTiming } from "./shares.ts";

export interface Interval {
  readonly lowMs: number;
  readonly highMs: number;
}

export interface CauseInterval extends Interval {
  /** The upper end with the unexplained time of attempts that the cause could have touched. */
  readonly couldBeMs: number;
}

export interface Intervals {
  readonly causes: Readonly<Record<Cause, CauseInterval>>;
  /** Of the parts of the usual time. */
  readonly parts: Readonly<Record<Part, Interval>>;
}

/** What was found with all attempts. */
export interface Fitted {
  readonly expectation: Expectation;
  readonly causes: AttemptCauses;
  readonly weights: PathWeights;
  readonly responseMs: number;
  readonly idle: Idle;
  readonly asRan: AsRan;
}

const DRAWS = 40;
/** Draws whose usual time is taken apart, which takes three schedules. */
const PART_DRAWS_MIN = 8;
const ATTEMPTS_PARTED = 400_000;
/** Places at which each draw looks at the critical path; the schedules of large jobs take long. */
const STEPS_MAX = 8;
const STEPS_MIN = 2;
const ATTEMPTS_WALKED = 40_000;

/**
 * The certainty of the shares. In each draw, attempts are drawn again, with those that overlap on
 * one node in one phase as one; the factors of the nodes that are called slow are drawn from their
 * own intervals, since the question here is how slow, not whether; lines are fitted and paths are
 * walked again.
 */
export function intervalsOf(
  plan: Plan,
  timing: Timing,
  signals: Signals,
  fitted: Fitted,
  { limits, seed }: ExpectOptions,
): Intervals {
  const groups = groupsOf(plan, signals);
  const waits = phaseWaits(plan, timing.wait);
  const random = randomState(seed, "intervals");
  const steps = Math.round(ATTEMPTS_WALKED / plan.count);
  const partDraws = Math.max(PART_DRAWS_MIN, Math.round(ATTEMPTS_PARTED / plan.count));
  const parts: Parts["ms"][] = [];
  const draws = Array.from({ length: DRAWS }, (_, n) => {
    const counts = drawCounts(groups, plan.count, random);
    const factor = drawFactors(fitted.expectation, random);
    const drawn = { counts, factor, limits };
    const expectation = drawnExpectation(plan, signals, fitted.expectation, drawn);
    const usual = { waits, part: usualPart(plan, random) };
    const causes = attemptCauses(plan, timing, signals, expectation, usual);
    if (n < partDraws) parts.push(drawnParts(plan, timing, causes, fitted));
    return drawnShares(plan, timing.wait, causes, {
      steps: Math.min(STEPS_MAX, Math.max(STEPS_MIN, steps)),
      within: nextFloat(random),
    });
  });
  const of = (cause: Cause): CauseInterval => {
    const rising = Float64Array.from(draws, (draw) => draw[cause]).sort();
    const highMs = percentile(rising, 97.5);
    const couldBeMs = highMs + touched(cause, plan, signals, fitted);
    return { lowMs: percentile(rising, 2.5), highMs, couldBeMs };
  };
  const ofPart = (part: Part): Interval => {
    const rising = Float64Array.from(parts, (ms) => ms[part]).sort();
    return { lowMs: percentile(rising, 2.5), highMs: percentile(rising, 97.5) };
  };
  return { causes: byCause(of), parts: recordOf(PARTS, ofPart) };
}

/** The usual time of a draw is what the record took less what the draw calls lost. */
function drawnParts(
  plan: Plan,
  { wait }: Timing,
  causes: AttemptCauses,
  { idle, asRan, responseMs }: Fitted,
): Parts["ms"] {
  const timing = usualTiming(plan, wait, causes);
  const scheduled = schedule(plan, timing);
  const lost = recordedDoneAt(plan, wait, causes) - scheduled.doneAt;
  const usualMs = responseMs - Math.min(Math.max(lost, 0), responseMs);
  return partsOf(plan, { timing, scheduled, usualMs, idle, asRan }).ms;
}

/**
 * While one attempt is held back beside a free slot, others begin there: a hold shows as waits
 * of many, and their median may be what it cost. A third of the draws takes none of it as usual.
 * Where slots are not named, waits have the steps of heartbeats.
 */
const usualPart = ({ pools }: Plan, random: RandomState): number =>
  pools.isRecorded ? Math.max(0, 1.5 * nextFloat(random) - 0.5) : 1;

/** Of a normal distribution, between its mean and the end of its 95 % interval. */
const DEVIATIONS = 1.96;

function drawFactors({ nodes, factor }: Expectation, random: RandomState): Float64Array {
  const drawn = factor.slice();
  for (const { node, factor: found, estimate, highFactor } of nodes) {
    if (found === 1) continue;
    const error = log(highFactor / estimate) / DEVIATIONS;
    drawn[node] = Math.max(1, estimate * exp(error * normal(random)));
  }
  return drawn;
}

/** Attempts that overlap on one node, within their phase. */
function groupsOf(plan: Plan, signals: Signals): readonly (readonly number[])[] {
  const open = new Map<string, { until: number; members: number[] }>();
  const groups: number[][] = [];
  for (let i = 0; i < plan.count; i++) {
    const key = `${plan.phase[i]}/${signals.node[i]}`;
    const group = open.get(key);
    if (group !== undefined && cell(plan.start[i]) < group.until) {
      group.members.push(i);
      continue;
    }
    const members = [i];
    groups.push(members);
    open.set(key, { until: cell(plan.end[i]), members });
  }
  return groups;
}

function drawCounts(
  groups: readonly (readonly number[])[],
  count: number,
  random: RandomState,
): Uint8Array {
  const counts = new Uint8Array(count);
  for (let n = 0; n < groups.length; n++) {
    const group = groups[Math.floor(nextFloat(random) * groups.length)] ?? [];
    for (const i of group) counts[i] = cell(counts[i]) + 1;
  }
  return counts;
}

/** Unexplained seconds on the path, of attempts that this cause could have made longer. */
function touched(
  cause: Cause,
  plan: Plan,
  signals: Signals,
  { expectation, causes, weights }: Fitted,
): number {
  const couldTouch = declarationOf(cause).couldTouch?.({ plan, signals, expectation });
  if (couldTouch === undefined) return 0;
  let total = 0;
  for (let i = 0; i < plan.count; i++) {
    const late = cell(weights.own[i]) * cell(causes.ms.unexplained[i]);
    if (late > 0 && couldTouch(i)) total += late;
  }
  return total;
}
