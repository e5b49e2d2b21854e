import { against } from "../../diagnose/compare/against.ts";
import { reasonsOf } from "../../diagnose/compare/against-text.ts";
import { compare, type Run } from "../../diagnose/compare/compare.ts";
import type { Compared } from "../../diagnose/compare/compare-text.ts";
import type { TraceJob } from "../../history/model.ts";
import { QUICKLY, whyOf } from "../../library/explain.ts";
import { type Opened, twinOf } from "../../library/job-of-history.ts";

/** A job compared with the job of its name in another history. */
export function comparedWith(other: Opened, ours: Opened, job: TraceJob): Compared {
  const run = (opened: Opened, one: TraceJob): Run => ({
    job: one,
    why: whyOf(opened, one, QUICKLY),
  });
  const [a, b] = [run(other, twinOf(job, other)), run(ours, job)];
  return { ...compare(a, b), reasons: reasonsOf(against([a], b)) };
}
