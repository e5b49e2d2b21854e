import { type RandomState, randomState, split } from "../../../base/random.ts";
import { lognormal } from "./draws.ts";
import type { LogModel } from "./model.ts";
import type { TimeLog } from "./phase-log.ts";

/** The logs of two days, in one of the worlds that a seed stands for. */
export interface LoggedDate {
  /** Index into the model's dates. */
  readonly date: number;
  readonly seed: number;
}

/**
 * How busy the cluster is at a time, 1 being the median: the same for all its jobs. §4.2, Figure 7:
 * outliers come at the same times, on many machines.
 */
export function timeAt(model: LogModel, { date, seed }: LoggedDate, beginMs: number): TimeLog {
  const spell = Math.floor(beginMs / model.times.spellMs);
  const chance = split(randomState(seed, `mantri/busy/${date}`), spell);
  return { beginMs, busyness: drawBusyness(model, chance) };
}

/** Of any time. */
export function drawBusyness({ outliers, times }: LogModel, chance: RandomState): number {
  const sigma = outliers.shareSigma * Math.sqrt(times.varianceShare);
  return lognormal(chance, { median: 1, sigma });
}
