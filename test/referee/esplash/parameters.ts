import type { Dice } from "../../letter/dice.ts";

/** Named as `--set` takes them. */
export interface Parameters {
  /** Given by the administrator (IV-A); empty: found. */
  readonly levels: string;
  readonly k: number;
  readonly starts: number;
  readonly coverage: number;
  readonly scaled: boolean;
  readonly clusterEveryMs: number;
  readonly newNodesAreLowest: boolean;
  readonly epochMs: number;
  readonly tau: number;
  readonly timeCoefficient: number;
  readonly rateCoefficient: number;
  readonly averaged: boolean;
  readonly othersOnly: boolean;
  readonly accumulates: boolean;
  readonly judgesFinished: boolean;
  readonly deviationMin: number;
  readonly requestPatienceMs: number;
  readonly bestContainer: boolean;
  readonly whileTasksWait: boolean;
  readonly retryAfterNoCopyMs: number;
  readonly retryAfterCopyMs: number;
}

export function drawParameters(dice: Dice, nodes: readonly string[]): Parameters {
  const averaged = dice.chance(0.8);
  const levels = nodes.map((name) => `${name}:${dice.whole(1, 3)}`).join(",");
  return {
    levels: dice.chance(0.25) ? levels : "",
    k: dice.pick([4, 4, 3, 2]),
    starts: dice.pick([16, 16, 1, 300]),
    coverage: dice.pick([0.75, 0.75, 0.5, 1]),
    scaled: dice.chance(0.7),
    clusterEveryMs: dice.pick([60_000, 30_000, 15_000]),
    newNodesAreLowest: dice.chance(0.7),
    epochMs: dice.pick([15_000, 15_000, 6_000]),
    tau: averaged ? dice.pick([3, 2, 1.5]) : dice.pick([4, 8]),
    timeCoefficient: dice.pick([1, 1, 2]),
    rateCoefficient: dice.pick([1, 1, 0.5]),
    averaged,
    othersOnly: dice.chance(0.6),
    accumulates: dice.chance(0.1),
    judgesFinished: dice.chance(0.6),
    deviationMin: dice.pick([0.3, 0.3, 0.1, 1]),
    requestPatienceMs: dice.pick([15_000, 5_000]),
    whileTasksWait: dice.chance(0.4),
    retryAfterNoCopyMs: dice.pick([1_000, 1_000, 3_000]),
    retryAfterCopyMs: dice.pick([15_000, 4_000]),
    bestContainer: dice.chance(0.8),
  };
}

export const setsOf = (parameters: Parameters): string[] =>
  Object.entries(parameters).map(([name, value]) => `speculation.${name}=${value}`);
