import { nextFloat, type RandomState, randomState } from "../../base/random.ts";
import { cell } from "../../base/rows.ts";
import { percentile } from "../../base/stats.ts";
import type { Cause } from "../cause.ts";
import { type Expectation, type ExpectOptions, expectationOf } from "../expect/expect.ts";
import type { Signals } from "../expect/signals.ts";
import type { PathWeights } from "../schedule/path.ts";
import type { Plan } from "../schedule/planned.ts";
import type { Timing } from "../schedule/schedule.ts";
import { type AttemptCauses, attemptCauses } from "./attempt-causes.ts";
import { along } from "./shares.ts";

export interface CauseInterval {
  readonly lowMs: number;
  readonly highMs: number;
  /** The upper end with the unexplained time of attempts that the cause could have touched. */
  readonly couldBeMs: number;
}

const DRAWS = 40;
/** Lines and nodes' factors settle in one round less than from scratch. */
const ROUNDS = 2;

/**
 * The certainty of the shares: attempts are drawn again, with attempts that ran on the same node at
 * the same time as one, everything is fitted again, and the new seconds are summed along the old
 * paths. The nodes' threshold is kept.
 */
export function intervalsOf(
  plan: Plan,
  timing: Timing,
  signals: Signals,
  fitted: {
    readonly expectation: Expectation;
    readonly causes: AttemptCauses;
    readonly weights: PathWeights;
  },
  options: ExpectOptions,
): Readonly<Record<Cause, CauseInterval>> {
  const groups = groupsOf(plan, signals);
  const random = randomState(options.seed, "intervals");
  const { threshold } = fitted.expectation;
  const draws = Array.from({ length: DRAWS }, () => {
    const counts = drawCounts(groups, plan.count, random);
    const drawn = { ...options, threshold, counts, rounds: ROUNDS };
    const expectation = expectationOf(plan, signals, drawn);
    return along(fitted.weights, attemptCauses(plan, timing, signals, expectation));
  });
  const of = (cause: Cause): CauseInterval => {
    const rising = Float64Array.from(draws, (draw) => draw[cause]).sort();
    const highMs = percentile(rising, 97.5);
    const couldBeMs = highMs + touched(cause, plan, signals, fitted);
    return { lowMs: percentile(rising, 2.5), highMs, couldBeMs };
  };
  return {
    retries: of("retries"),
    "waited-to-start": of("waited-to-start"),
    node: of("node"),
    gc: of("gc"),
    "fetch-wait": of("fetch-wait"),
    "cold-start": of("cold-start"),
    "remote-read": of("remote-read"),
    bytes: of("bytes"),
    unexplained: of("unexplained"),
  };
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
  {
    expectation,
    causes,
    weights,
  }: {
    readonly expectation: Expectation;
    readonly causes: AttemptCauses;
    readonly weights: PathWeights;
  },
): number {
  const raw = new Map(expectation.nodes.map(({ node, rawFactor }) => [node, rawFactor]));
  const couldTouch = (i: number): boolean => {
    switch (cause) {
      case "cold-start":
        return signals.isFirst[i] === 1;
      case "remote-read":
        return signals.isFar[i] === 1;
      case "node":
        return (raw.get(cell(signals.node[i])) ?? 1) > 1.1;
      case "bytes": {
        const mean = expectation.fits[cell(plan.phase[i])]?.meanBytes ?? Number.NaN;
        return cell(signals.bytes[i]) > mean;
      }
      default:
        return false;
    }
  };
  let total = 0;
  for (let i = 0; i < plan.count; i++) {
    const late = cell(weights.own[i]) * cell(causes.ms.unexplained[i]);
    if (late > 0 && couldTouch(i)) total += late;
  }
  return total;
}
