import { mean, median, standardDeviation, sum } from "../../../base/stats.ts";
import { OUTLIER_FACTOR } from "../../../measures/phase-measures.ts";
import { anotherRun } from "../logs/another-run.ts";
import type { JobLog } from "../logs/job-log.ts";
import { type Exposed, type LossLog, lossesOf } from "../logs/losses.ts";
import type { LogModel } from "../logs/model.ts";
import { attemptOf, type PhaseLog } from "../logs/phase-log.ts";
import { endOf, type JobEnds, lastOf, type Stall, scheduleJob } from "./job-schedule.ts";

/** The measures of a job in §3.2, §4.2 and §4.3. */
export interface JobFigures {
  readonly phases: number;
  readonly edges: number;
  readonly barriers: number;
  readonly computeMs: number;
  /** The reduces' share of the phases' time. */
  readonly reduceShare: number;
  /** Figure 8: how much sooner the job would end without outliers, and also without losses. */
  readonly withoutOutliers: number;
  readonly withoutAny: number;
  /** How much sooner the job would end without its losses; undefined if it has none. */
  readonly withoutLosses: number | undefined;
  /** As `withoutAny`, but tasks that are long because of their data are also cut to the median. */
  readonly withoutLong: number;
  /** §4.3: standard deviation over mean of the times of some runs. */
  readonly variation: number;
}

/** A logged run of a job, with the outputs that it lost. */
export interface LoggedRun {
  /** The times of each phase's tasks, without waits. */
  readonly times: readonly (readonly number[])[];
  /** The ends if no output were lost. */
  readonly ends: JobEnds;
  readonly losses: readonly LossLog[];
  readonly endMs: number;
}

export function logRun(model: LogModel, job: JobLog): LoggedRun {
  const times = job.phases.map((phase) => timesOf(model, phase));
  const ends = scheduleJob(job, times);
  const losses = lossesOf(model, job, exposedOf(job, times, ends));
  const stalled = losses.length === 0 ? ends : scheduleJob(job, times, stallsOf(job, losses));
  return { times, ends, losses, endMs: endOf(stalled) };
}

export function jobFigures(
  model: LogModel,
  job: JobLog,
  of: { readonly logged: LoggedRun; readonly repeats: number },
): JobFigures {
  const { times, ends, losses, endMs } = of.logged;
  const unhindered = job.phases.map((phase) => unhinderedTimes(model, phase));
  const sooner = (other: readonly (readonly number[])[], stalls: readonly Stall[]) =>
    1 - endOf(scheduleJob(job, other, stalls)) / endMs;
  const withoutOutliers = sooner(unhindered, stallsOf(job, losses));
  const others = Array.from({ length: of.repeats - 1 }, (_, i) =>
    logRun(model, anotherRun(model, job, i + 1)),
  );
  const runs = [endMs, ...others.map((run) => run.endMs)];
  const lifetimes = ends.map((phase, i) => lifetime(phase, times[i] ?? []));
  return {
    phases: job.phases.length,
    edges: job.edges.length,
    barriers: job.edges.filter(({ barrier }) => barrier).length,
    computeMs: sum(times.map(sum)),
    reduceShare: sum(lifetimes.filter((_, i) => job.phases[i]?.role === "reduce")) / sum(lifetimes),
    withoutOutliers,
    withoutAny: losses.length === 0 ? withoutOutliers : sooner(unhindered, []),
    withoutLosses: losses.length === 0 ? undefined : 1 - endOf(ends) / endMs,
    withoutLong: sooner(times.map(withoutLong), []),
    variation: standardDeviation(runs) / mean(runs),
  };
}

const timesOf = (model: LogModel, phase: PhaseLog): readonly number[] =>
  Array.from(phase.bytes, (_, index) => attemptOf(model, phase, { index, ordinal: 0 }).ms);

const unhinderedTimes = (model: LogModel, phase: PhaseLog): readonly number[] =>
  Array.from(phase.bytes, (_, index) => {
    const { ms, hindered } = attemptOf(model, phase, { index, ordinal: 0 });
    return ms / hindered;
  });

function withoutLong(times: readonly number[]): readonly number[] {
  const usual = median(times);
  return times.map((ms) => (ms > OUTLIER_FACTOR * usual ? usual : ms));
}

function exposedOf(
  { edges }: JobLog,
  times: readonly (readonly number[])[],
  ends: JobEnds,
): readonly Exposed[] {
  const last = ends.map(lastOf);
  return times.map((own, i) => {
    const read = edges.filter(({ from }) => from === i).map(({ to }) => last[to] ?? 0);
    const written = ends[i] ?? new Float64Array(0);
    const meanMs = written.reduce((sum, at) => sum + at, 0) / written.length;
    return { times: own, unreadMs: Math.max(0, Math.max(0, ...read) - meanMs) };
  });
}

/** The waits of the readers of lost outputs. */
const stallsOf = ({ edges }: JobLog, losses: readonly LossLog[]): readonly Stall[] =>
  losses.flatMap(({ phase, waiting, redoMs }) =>
    edges.filter(({ from }) => from === phase).map(({ to }) => ({ phase: to, waiting, redoMs })),
  );

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
