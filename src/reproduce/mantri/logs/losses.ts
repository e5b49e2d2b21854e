import { exp, log } from "../../../base/math.ts";
import { integer, nextFloat, type RandomState, split, uniform } from "../../../base/random.ts";
import { median } from "../../../base/stats.ts";
import { outlierSize } from "./draws.ts";
import type { JobLog } from "./job-log.ts";
import type { LogModel, LossModel } from "./model.ts";

/** Outputs of a phase that were lost on one machine while others had yet to read them. */
export interface LossLog {
  readonly phase: number;
  readonly machine: number;
  /** Of each recomputation, over the usual time of the phase's tasks. */
  readonly sizes: readonly number[];
  /** Share of the reading tasks that wait: those that begin last. */
  readonly waiting: number;
  /** Until all is there again, with what had to be made again before it. */
  readonly redoMs: number;
}

/** What is known of each phase when its losses are drawn. */
export interface Exposed {
  /** Of its tasks. */
  readonly times: readonly number[];
  /** From when its outputs are written, on average, to the end of the last that reads them. */
  readonly unreadMs: number;
}

/**
 * §3.2: machines lose outputs, the more so at times of high load; who has yet to read them waits.
 * The longer outputs lie, and on the more machines, the likelier that is.
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
/** A stream that no attempt has: indices of tasks stay above it. */
const LOSSES = -1;

/** Knuth's method, in parts: of a large mean, exp(-mean) is nothing. */
function poisson(chance: RandomState, mean: number): number {
  if (mean > MEAN_MOST) return poisson(chance, mean - MEAN_MOST) + poisson(chance, MEAN_MOST);
  const limit = exp(-mean);
  let count = 0;
  for (let product = nextFloat(chance); product > limit; product *= nextFloat(chance)) count += 1;
  return count;
}

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

/**
 * §3.2, §5.3: what is lost together is made again together; before that, whatever of its inputs was
 * on that machine. A task stands where that stands which it reads without a barrier; of all the
 * others, which are anywhere, one may be there.
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

/** That one of so many outputs is on a given machine. */
const onOneMachine = ({ machines }: LossModel, outputs: number): number =>
  1 - exp(outputs * log(1 - 1 / machines));
