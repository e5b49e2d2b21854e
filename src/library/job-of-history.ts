import { InputError } from "../base/input-error.ts";
import type { Limits } from "../diagnose/limits.ts";
import { diagnose } from "../diagnose/why.ts";
import type { Trace, TraceJob } from "../trace/model.ts";

interface OfHistory {
  /** The history's name in errors. */
  readonly place: string;
  readonly id?: string | undefined;
  /** Default: those of the diagnosis. */
  readonly limits?: Partial<Limits>;
}

/**
 * The job that every command means: of this id, or, without an id, the one that lost most. COST:
 * one diagnosis for each job, if there are several.
 */
export function jobOf(trace: Trace, { place, id, limits = {} }: OfHistory): TraceJob {
  if (id !== undefined) return jobNamed(trace.jobs, place, id);
  const chosen = thatLostMost(trace, trace.jobs, limits);
  if (chosen !== undefined) return chosen;
  throw new InputError("bad-input", place, "expected at least one job");
}

/** The job of another history that a job is compared with: of the same name, or as `jobOf`. */
export function twinOf({ name }: TraceJob, trace: Trace, place: string): TraceJob {
  const twins = trace.jobs.filter((job) => job.name === name);
  return thatLostMost(trace, twins, {}) ?? jobOf(trace, { place });
}

function thatLostMost(
  trace: Trace,
  jobs: readonly TraceJob[],
  limits: Partial<Limits>,
): TraceJob | undefined {
  if (jobs.length < 2) return jobs[0];
  const lost = (job: TraceJob): number => {
    const found = diagnose(trace, job, { limits, intervals: false, audit: false });
    return found.kind === "why" ? found.why.lostMs : Number.NEGATIVE_INFINITY;
  };
  const losses = jobs.map((job) => ({ job, lostMs: lost(job) }));
  return losses.reduce((a, b) => (b.lostMs > a.lostMs ? b : a)).job;
}

function jobNamed(jobs: readonly TraceJob[], place: string, id: string): TraceJob {
  const found = jobs.find((job) => job.id === id);
  if (found !== undefined) return found;
  const known = jobs.slice(0, 10).map((job) => job.id);
  throw new InputError("bad-flag", `--job ${id}`, `${place} has the jobs ${known.join(", ")}`);
}
