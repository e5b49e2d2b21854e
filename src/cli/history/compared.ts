import { type Compare, compare } from "../../diagnose/compare/compare.ts";
import type { TraceJob } from "../../history/model.ts";
import { QUICKLY, whyOf } from "../../library/explain.ts";
import { type Opened, twinOf } from "../../library/job-of-history.ts";

/** A job compared with the job of its name in another history. */
export function comparedWith(other: Opened, ours: Opened, job: TraceJob): Compare {
  const run = (opened: Opened, one: TraceJob) => ({ job: one, why: whyOf(opened, one, QUICKLY) });
  return compare(run(other, twinOf(job, other)), run(ours, job));
}
