import { exp, log } from "../../../base/math.ts";
import { integer, nextFloat, type RandomState, split, uniform } from "../../../base/random.ts";
import { median } from "../../../base/stats.ts";
import { outlierSize } from "./draws.ts";
import type { JobLog } from "./job-log.ts";
import type { LogModel, LossModel } from "./model.ts";

/** Outputs of a phase that one machine lost while others had yet to read them. */
export interface LossLog {
  readonly phase: number;
  readonly machine: number;
  /** The time of each recomputation, over the usual time of the phase's tasks. */
  readonly sizes: readonly number[];
  /** The share of the reading tasks that wait: those that begin last. */
  readonly waiting: number;
  /** The time until all outputs are back, including recomputed inputs. */
  readonly redoMs: number;
}

/** The facts of a phase that decide about its losses. */
export interface Exposed {
  /** The times of the phase's tasks. */
  readonly times: readonly number[];
  /** The time from the mean end of the phase's tasks to the end of the last reader. */
  readonly unreadMs: number;
}

/**
 * §3.2: machines lose outputs, more often at times of high load, and tasks that have yet to read
 * the outputs wait. A loss is likelier the longer outputs are kept, and the more machines hold
 * them.
 */
export function lossesOf(
  model: LogModel,
  job: JobLog,
  exposed: readonly Exposed[],
): readonly LossLog[] {
  const { losses } = model;
  return job.phases.flatMap(({ bytes, time, chance: own }, phase) => {
    const { unreadMs = 0 } = exposed[phase] ?? {};
    const chance = split(own, LOSSES);
    const machineHours = (Math.min(bytes.length, losses.machines) * unreadMs) / HOUR_MS;
    const count = poisson(chance, losses.perMachineHour * machineHours * time.busyness);
    return Array.from({ length: count }, (): LossLog => {
      const isWidespread = nextFloat(chance) < losses.widespread;
      const waiting = uniform(chance, isWidespread ? { from: 0.5, to: 1 } : { from: 0, to: 0.5 });
      const machine = machineOf(losses, chance);
      const lost = Math.min(bytes.length, lostTogether(losses, chance));
      const sizes = Array.from({ length: lost }, () => recomputeSize(model, chance));
      const redoMs = redo(model, job, { phase, sizes, exposed, chance });
      return { phase, machine, sizes, waiting, redoMs };
    });
  });
}

const HOUR_MS = 3_600_000;
const MEAN_MOST = 500;
/** A random stream that no attempt uses: their numbers begin at 0. */
const LOSSES = -1;

/** Knuth's method, in parts: for a large mean, exp(-mean) underflows to 0. */
function poisson(chance: RandomState, mean: number): number {
  if (mean > MEAN_MOST) return poisson(chance, mean - MEAN_MOST) + poisson(chance, MEAN_MOST);
  const limit = exp(-mean);
  let count = 0;
  for (let product = nextFloat(chance); product > limit; product *= nextFloat(chance)) count += 1;
  return count;
}

/** The flaky machines come first. */
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

/** §4.1, Figure 3: nine in ten about as long as usual, a few over ten times longer. */
function recomputeSize({ losses, outliers, contention }: LogModel, chance: RandomState): number {
  const which = nextFloat(chance);
  const { noise } = contention;
  if (which < losses.normal) return uniform(chance, { from: 1 - noise, to: 1 + noise });
  if (which >= 1 - losses.extreme) {
    return uniform(chance, { from: outliers.extreme.from, to: outliers.extreme.to });
  }
  return Math.min(outliers.extreme.from, outlierSize(chance, outliers));
}

/**
 * §3.2, §5.3: outputs lost together are recomputed together, after those of their inputs that were
 * on the same machine. A task runs on the machine of the input that it reads without a barrier; any
 * one of its other inputs, which are spread over all machines, may be there too.
 */
function redo(
  model: LogModel,
  job: JobLog,
  of: {
    readonly phase: number;
    readonly sizes: readonly number[];
    readonly exposed: readonly Exposed[];
    readonly chance: RandomState;
  },
): number {
  const { phase, sizes, exposed, chance } = of;
  let inputsMs = 0;
  for (const { from, to, barrier } of job.edges) {
    if (to !== phase) continue;
    const tasks = job.phases[from]?.bytes.length ?? 0;
    if (barrier && nextFloat(chance) >= onOneMachine(model.losses, tasks)) continue;
    const own = [recomputeSize(model, chance)];
    inputsMs = Math.max(inputsMs, redo(model, job, { ...of, phase: from, sizes: own }));
  }
  return inputsMs + Math.max(...sizes) * median(exposed[phase]?.times ?? []);
}

/** The probability that one of `outputs` outputs is on a given machine. */
const onOneMachine = ({ machines }: LossModel, outputs: number): number =>
  1 - exp(outputs * log(1 - 1 / machines));
