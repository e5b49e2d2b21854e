import { InputError } from "../base/input-error.ts";
import type { Limits } from "../diagnose/limits.ts";
import { diagnose } from "../diagnose/why.ts";
import type { Trace, TraceJob } from "../trace/model.ts";

/** The job of this id in the history at `place`; without an id, the job that lost most. */
export function jobThatLostMost(
  trace: Trace,
  { place, id, limits }: OfHistory & { readonly limits: Partial<Limits> },
): TraceJob {
  if (id !== undefined) return jobNamed(trace.jobs, place, id);
  const lost = (job: TraceJob): number => {
    const found = diagnose(trace, job, { limits, intervals: false, audit: false });
    return found.kind === "why" ? found.why.lostMs : Number.NEGATIVE_INFINITY;
  };
  const [first, ...others] = trace.jobs;
  if (first === undefined) throw new InputError("bad-input", place, "expected at least one job");
  if (others.length === 0) return first;
  const losses = trace.jobs.map((job) => ({ job, lostMs: lost(job) }));
  return losses.reduce((a, b) => (b.lostMs > a.lostMs ? b : a)).job;
}

/** The job of this id in the history at `place`; without an id, the longest. */
export function longestJob(jobs: readonly TraceJob[], { place, id }: OfHistory): TraceJob {
  if (id !== undefined) return jobNamed(jobs, place, id);
  const [longest] = jobs.toSorted((a, b) =>
    Math.sign(b.endedAt - b.submittedAt - (a.endedAt - a.submittedAt)),
  );
  if (longest !== undefined) return longest;
  throw new InputError("bad-input", place, "expected at least one job");
}

interface OfHistory {
  readonly place: string;
  readonly id: string | undefined;
}

function jobNamed(jobs: readonly TraceJob[], place: string, id: string): TraceJob {
  const found = jobs.find((job) => job.id === id);
  if (found !== undefined) return found;
  const known = jobs.slice(0, 10).map((job) => job.id);
  throw new InputError("bad-flag", `--job ${id}`, `${place} has the jobs ${known.join(", ")}`);
}
