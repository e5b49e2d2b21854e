import type { HadoopAttempt, HadoopJob, HadoopTask } from "./history.ts";

/** How much each tracker's clock is off, for one job. */
export interface Clocks {
  /** The correction of times that the host's tracker wrote, by host; 0 is left out. */
  readonly shiftMs: ReadonlyMap<string, number>;
  /** The largest correction, without its sign. */
  readonly largestMs: number;
}

export const ONE_CLOCK: Clocks = { shiftMs: new Map(), largestMs: 0 };

/** Under a JobTracker the cluster's start is a date to the minute; under YARN it counts ms. */
export const isOfJobTracker = (jobId: string): boolean => /^job_\d{12}_/.test(jobId);

/**
 * The times of a task come from the JobTracker, those of its attempts from the clock of the
 * attempt's tracker. An attempt cannot begin before its task was assigned; one that succeeded or
 * failed cannot end after its task did. The correction of a host is the least one for which all its
 * attempts obey these bounds. A tracker may report a kill after the task's end.
 */
export function clocksOf(job: HadoopJob): Clocks {
  const bounds = new Map<string, Bounds>();
  for (const task of job.tasks.values()) {
    for (const attempt of task.attempts.values()) {
      const { host } = attempt;
      if (host === undefined) continue;
      const known = bounds.get(host) ?? { least: -Infinity, most: Infinity };
      bounds.set(host, narrowed(known, task, attempt));
    }
  }
  const shiftMs = new Map<string, number>();
  for (const [host, bound] of bounds) {
    const shift = leastShift(bound);
    if (shift !== 0) shiftMs.set(host, shift);
  }
  const largestMs = Math.max(0, ...[...shiftMs.values()].map(Math.abs));
  return { shiftMs, largestMs };
}

interface Bounds {
  readonly least: number;
  readonly most: number;
}

function narrowed(bounds: Bounds, task: HadoopTask, attempt: HadoopAttempt): Bounds {
  const { startedAt, finishedAt, ended } = attempt;
  const isReported = ended === "succeeded" || ended === "failed";
  return {
    least: Math.max(bounds.least, (task.startedAt ?? -Infinity) - (startedAt ?? Infinity)),
    most: isReported
      ? Math.min(bounds.most, (task.finishedAt ?? Infinity) - (finishedAt ?? -Infinity))
      : bounds.most,
  };
}

/** A clock that was set during the job may allow no shift: the middle errs least. */
function leastShift({ least, most }: Bounds): number {
  if (least > most) return Math.round((least + most) / 2);
  return least > 0 ? least : most < 0 ? most : 0;
}
