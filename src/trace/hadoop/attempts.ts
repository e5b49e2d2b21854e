import { ascending } from "../../base/order.ts";
import type { TraceEnd } from "../../history/columns.ts";
import type { AttemptKind } from "../../model/attempt.ts";
import type { Locality } from "../../model/job.ts";
import type { Clocks } from "./clocks.ts";
import type { HadoopAttempt, HadoopJob, HadoopTask } from "./history.ts";

/** An attempt that ran, with times of the JobTracker's clock. */
export interface RanAttempt extends HadoopAttempt {
  readonly startedAt: number;
  readonly finishedAt: number;
  readonly ended: TraceEnd;
  /** Whether the log lacks its end. */
  readonly isOpen: boolean;
}

/**
 * The attempts of a task that ran, by start. `lastAt`: the last time in the job's history. An
 * attempt without an end was killed with its job or, if the job did not end either, is cut off at
 * `lastAt`.
 */
export function ranAttempts(
  job: HadoopJob,
  task: HadoopTask,
  clocks: Clocks,
  lastAt: number,
): readonly RanAttempt[] {
  const ran = [...task.attempts.values()]
    .flatMap((one): RanAttempt[] => {
      const shift = clocks.shiftMs.get(one.host ?? "") ?? 0;
      const at = (ms: number | undefined) => (ms === undefined ? undefined : ms + shift);
      const startedAt = at(one.startedAt);
      const finishedAt = at(one.finishedAt) ?? job.finishedAt ?? lastAt;
      if (startedAt === undefined || finishedAt < startedAt) return [];
      const open = job.outcome === "cut-off" ? "cut-off" : "killed";
      const [shuffleEndAt, sortEndAt] = [at(one.shuffleEndAt), at(one.sortEndAt)];
      const ended = one.ended ?? open;
      const isOpen = one.ended === undefined;
      return [{ ...one, startedAt, finishedAt, ended, isOpen, shuffleEndAt, sortEndAt }];
    })
    .sort(ascending(({ startedAt }) => startedAt, ascending(numberOf)));
  return ran.map((one, place) => {
    const next = one.isOpen ? nextOf(job, ran.slice(place + 1)) : undefined;
    return next === undefined || next.startedAt > one.finishedAt
      ? one
      : { ...one, finishedAt: next.startedAt };
  });
}

/**
 * The attempt before which one must have ended whose end the log lacks: the next that is not known
 * to be a copy. If both may have run until the job was killed, or the log ends, it may be one.
 */
const nextOf = ({ outcome }: HadoopJob, later: readonly RanAttempt[]): RanAttempt | undefined =>
  later.find(
    ({ isSpeculative, isOpen }) =>
      isSpeculative !== true && (!isOpen || isSpeculative === false || outcome === "succeeded"),
  );

/** The number of an attempt within its task. */
export const numberOf = ({ id }: HadoopAttempt): number => Number(/\d+$/.exec(id)?.[0] ?? 0);

/** The latest time in the job's history, by the JobTracker's clock. */
export function lastTimeOf(job: HadoopJob, clocks: Clocks): number {
  let last = Math.max(job.finishedAt ?? 0, job.launchedAt ?? 0, job.submittedAt ?? 0);
  for (const { attempts, startedAt, finishedAt } of job.tasks.values()) {
    last = Math.max(last, startedAt ?? 0, finishedAt ?? 0);
    for (const attempt of attempts.values()) {
      const shift = clocks.shiftMs.get(attempt.host ?? "") ?? 0;
      const latest = Math.max(attempt.startedAt ?? 0, attempt.finishedAt ?? 0);
      if (latest > 0) last = Math.max(last, latest + shift);
    }
  }
  return last;
}

/** Why the attempt ran. `earlier`: the attempts of its task that began before it. */
export function kindOf(own: RanAttempt, earlier: readonly RanAttempt[]): AttemptKind {
  if (earlier.length === 0) return "original";
  if (own.isSpeculative === true) return "speculative";
  const besides = earlier.some(
    ({ ended, finishedAt }) => ended !== "failed" && finishedAt > own.startedAt,
  );
  if (besides && own.isSpeculative === undefined) return "speculative";
  const succeeded = earlier.filter(({ ended }) => ended === "succeeded");
  if (succeeded.length > 0) {
    // The master learns of a success with a heartbeat, and may launch a copy until then. A task is
    // recomputed only if its output was lost, which a second success proves.
    const isAgain = own.ended === "succeeded" || succeeded.some((one) => one.isOutputLost);
    return isAgain ? "recompute" : "speculative";
  }
  const last = earlier.reduce((a, b) => (b.finishedAt >= a.finishedAt ? b : a));
  return last.ended === "failed" ? "retry" : "rerun";
}

/** Where the attempt ran, seen from its task's input; undefined if the log does not say. */
export function localityOf(
  { host, locality }: HadoopAttempt,
  { splits }: HadoopTask,
  racks: ReadonlyMap<string, string>,
): Locality | undefined {
  if (locality !== undefined || host === undefined || splits.length === 0) return locality;
  if (splits.some((split) => split.host === host)) return "node";
  const own = racks.get(host);
  const others = splits.map((split) => split.rack ?? racks.get(split.host));
  if (own === undefined) return undefined;
  if (others.includes(own)) return "rack";
  return others.includes(undefined) ? undefined : "any";
}
