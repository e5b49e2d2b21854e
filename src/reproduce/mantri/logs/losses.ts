import { log } from "../../../base/math.ts";
import { integer, nextFloat, type RandomState, split, uniform } from "../../../base/random.ts";
import { outlierSize } from "./draws.ts";
import type { LogModel, LossModel } from "./model.ts";
import type { PhaseLog } from "./phase-log.ts";

/** Outputs of a phase that were lost on one machine while others waited for them. */
export interface LossLog {
  readonly machine: number;
  /** Of each recomputation, over the usual time of the phase's tasks. */
  readonly sizes: readonly number[];
  /** Share of the reading tasks that wait. */
  readonly waiting: number;
}

/** §4.1 and §4.2: rare, on few machines, several at a time. undefined: nothing was lost. */
export function lossOf(model: LogModel, phase: PhaseLog): LossLog | undefined {
  const { losses } = model;
  const chance = split(phase.chance, LOSSES);
  if (nextFloat(chance) >= losses.phases) return undefined;
  const isWidespread = nextFloat(chance) < losses.widespread;
  const waiting = uniform(chance, isWidespread ? { from: 0.5, to: 1 } : { from: 0, to: 0.5 });
  const machine = machineOf(losses, chance);
  const count = Math.min(phase.bytes.length, lostTogether(losses, chance));
  const sizes = Array.from({ length: count }, () => recomputeSize(model, chance));
  return { machine, sizes, waiting };
}

/** A stream that no attempt has: indices of tasks stay below it. */
const LOSSES = -1;

/** The first of the machines are the flaky ones. */
export function machineOf({ machines, flaky, onFlaky }: LossModel, chance: RandomState): number {
  const count = Math.max(1, Math.round(machines * flaky));
  const isFlaky = nextFloat(chance) < onFlaky;
  return isFlaky ? integer(chance, count) : count + integer(chance, machines - count);
}

/** At least one, geometric. */
function lostTogether({ together }: LossModel, chance: RandomState): number {
  if (together === 1) return 1;
  return 1 + Math.floor(log(1 - nextFloat(chance)) / log(1 - 1 / together));
}

/** §4.1, Figure 3: nine in ten about as long as usual, a few of over ten times. */
function recomputeSize({ losses, outliers, contention }: LogModel, chance: RandomState): number {
  const which = nextFloat(chance);
  const { noise } = contention;
  if (which < losses.normal) return uniform(chance, { from: 1 - noise, to: 1 + noise });
  if (which >= 1 - losses.extreme) {
    return uniform(chance, { from: outliers.extreme.from, to: outliers.extreme.to });
  }
  return Math.min(outliers.extreme.from, outlierSize(chance, outliers));
}
