import { mean, median, standardDeviation, sum } from "../../../base/stats.ts";
import type { JobLog } from "../logs/job-log.ts";
import { lossOf } from "../logs/losses.ts";
import type { LogModel } from "../logs/model.ts";
import { attemptOf, type PhaseLog } from "../logs/phase-log.ts";
import { endOf, scheduleJob } from "./job-schedule.ts";

/** What §3.2, §4.2 and §4.3 measure of a job. */
export interface JobFigures {
  readonly phases: number;
  readonly edges: number;
  readonly barriers: number;
  readonly computeMs: number;
  /** Share of its phases' time that is the reduces'. */
  readonly reduceShare: number;
  /** Figure 8: how much sooner it would end where nothing hinders; and where nothing is lost. */
  readonly withoutOutliers: number;
  readonly withoutAny: number;
  /** §4.3: standard deviation over mean of the times of some runs. */
  readonly variation: number;
}

/** Runs of one job for the variation of its time. */
const RUNS = 8;

export function jobFigures(model: LogModel, job: JobLog): JobFigures {
  const times = (ordinal: number) => job.phases.map((phase) => timesOf(model, phase, ordinal));
  const logged = times(0);
  const ends = scheduleJob(job, logged);
  const unhindered = job.phases.map((phase) => unhinderedTimes(model, phase));
  const waits = job.phases.map((phase, i) => lossWait(model, phase, logged[i] ?? []));
  const lossy = job.phases.map((phase, i) => {
    // The phase that reads it waits at its beginning: as if the last task had taken so much longer.
    const own = logged[i] ?? [];
    return own.map((ms, index) => ms + (index < phase.slots ? (waits[i] ?? 0) : 0));
  });
  const end = endOf(scheduleJob(job, lossy));
  const runs = Array.from({ length: RUNS }, (_, run) => endOf(scheduleJob(job, times(run))));
  const lifetimes = ends.map((phase, i) => lifetime(phase, logged[i] ?? []));
  return {
    phases: job.phases.length,
    edges: job.edges.length,
    barriers: job.edges.filter(({ barrier }) => barrier).length,
    computeMs: sum(logged.map(sum)),
    reduceShare: sum(lifetimes.filter((_, i) => job.phases[i]?.role === "reduce")) / sum(lifetimes),
    withoutOutliers: 1 - endOf(scheduleJob(job, unhindered)) / endOf(ends),
    withoutAny: 1 - endOf(scheduleJob(job, unhindered)) / end,
    variation: standardDeviation(runs) / mean(runs),
  };
}

const timesOf = (model: LogModel, phase: PhaseLog, ordinal: number): readonly number[] =>
  Array.from(phase.bytes, (_, index) => attemptOf(model, phase, { index, ordinal }).ms);

const unhinderedTimes = (model: LogModel, phase: PhaseLog): readonly number[] =>
  Array.from(phase.bytes, (_, index) => {
    const { ms, hindered } = attemptOf(model, phase, { index, ordinal: 0 });
    return ms / hindered;
  });

/** What is lost together is made again together: readers wait for the longest. */
function lossWait(model: LogModel, phase: PhaseLog, times: readonly number[]): number {
  const loss = lossOf(model, phase);
  return loss === undefined ? 0 : median(times) * Math.max(...loss.sizes);
}

/** From the start of the first task to the end of the last. */
function lifetime(ends: Float64Array, times: readonly number[]): number {
  let first = Number.POSITIVE_INFINITY;
  let last = 0;
  for (const [i, end] of ends.entries()) {
    first = Math.min(first, end - (times[i] ?? 0));
    last = Math.max(last, end);
  }
  return last - first;
}
