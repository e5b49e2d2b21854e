import { randomState, split } from "../../../base/random.ts";
import type { Fault } from "../../../model/fault.ts";
import type { RunnableJob, RunnablePhase } from "../jobs/job-workload.ts";
import { drawJob, type JobLog } from "../logs/job-log.ts";
import type { LogModel } from "../logs/model.ts";
import { drawPhase } from "../logs/phase-log.ts";
import { loggedTimes } from "../phases/phase-run.ts";
import type { PreproductionSetup, ProductionJob, ProductionSetup } from "./setup.ts";

const DONE = { when: "done" } as const;

/** A production job. The paper prints nothing about the job's data, so each seed draws them. */
export function productionJob(
  model: LogModel,
  setup: ProductionSetup,
  of: { readonly job: ProductionJob; readonly seed: number },
): RunnableJob {
  const { job, seed } = of;
  const chance = randomState(seed, `production/${job.name}`);
  const inputs = Math.ceil(job.bytes / setup.bytesPerTask);
  const phases: RunnablePhase[] = [];
  let unread: number[] = [];
  for (const [i, { role, tasks }] of job.phases.entries()) {
    const phase = drawPhase(model, {
      name: `${role}-${i}`,
      role,
      medianMs: setup.medianMs,
      medianBytes: setup.bytesPerTask,
      chance: split(chance, i),
      sizes: { tasks: Math.max(1, Math.round(tasks * inputs)), slots: setup.slots },
    });
    const isFirst = role === "extract";
    phases.push({
      name: phase.name,
      bytes: phase.bytes,
      time: loggedTimes(model, phase),
      after: (isFirst ? [] : unread).map((one) => ({ phase: one, start: DONE })),
      chance: phase.chance,
    });
    unread = isFirst ? [...unread, i] : [i];
  }
  return { name: job.name, slots: setup.slots, phases };
}

/** §6.1: attempts are evicted for the sake of fairness to others. */
export function evictions({ evictionMs, evictionShare: share }: ProductionSetup): readonly Fault[] {
  const everyMs = { kind: "exponential", mean: evictionMs } as const;
  return [{ kind: "evict", node: "*", at: everyMs, everyMs, share }];
}

/** A job of the logs, run again on a cluster with less load. */
export function preproductionJob(
  model: LogModel,
  setup: PreproductionSetup,
  of: { readonly job: number; readonly time: number },
): RunnableJob {
  const log = suitableJob(model, setup, of.job);
  const slots = Math.max(...log.phases.map((phase) => phase.slots));
  return {
    name: log.name,
    slots: Math.round(setup.slots * slots),
    phases: log.phases.map((phase, i) => {
      const { outliers, slowed } = phase.hindrance;
      const calmer = {
        ...phase,
        hindrance: { outliers: outliers * setup.outliers, slowed: slowed * setup.outliers },
        chance: split(phase.chance, of.time),
      };
      const edges = log.edges.filter(({ to }) => to === i);
      const { name, bytes, chance } = calmer;
      return {
        name,
        bytes,
        time: loggedTimes(model, calmer),
        after: edges.map(({ from, barrier }) => ({
          phase: from,
          start: barrier ? DONE : { when: "fraction", of: setup.overlap },
        })),
        chance,
      };
    }),
  };
}

const LOG_SEED = 1;

/** The next job of the logs that is not too large. */
function suitableJob(
  model: LogModel,
  { phasesMost, tasksMost }: PreproductionSetup,
  number: number,
): JobLog {
  const { dates } = model;
  for (let job = Math.floor(number / dates.length) * STRIDE; ; job += 1) {
    const log = drawJob(model, { date: number % dates.length, job, seed: LOG_SEED });
    const isSmall = log.phases.every(({ bytes }) => bytes.length <= tasksMost);
    if (log.phases.length <= phasesMost && isSmall) return log;
  }
}

/**
 * The distance between the first candidates for two jobs of a date, so that they are seldom the
 * same.
 */
const STRIDE = 30;
