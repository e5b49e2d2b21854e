import { cell } from "../base/rows.ts";
import { type JobPart, queriesIn, sparkJobsIn } from "../history/job-parts.ts";
import type { TraceJob } from "../history/model.ts";
import type { Why } from "./document.ts";

/** A query of SQL or a job of Spark, as a part of what was diagnosed. */
export interface UnitRow {
  /** `query 3`, `job 7`. */
  readonly unit: string;
  /** What its user calls it, or the place in the code that began it. */
  readonly title?: string;
  readonly outcome: TraceJob["outcome"];
  /** Since the submission. */
  readonly submittedMs: number;
  readonly tookMs: number;
  /** Of the response. Units that ran side by side share their time. */
  readonly share: number;
  /** Response time that its late attempts cost. */
  readonly delayMs: number;
  readonly jobs: number;
  readonly stages: number;
  /** Stages that did not run, since their output was there. */
  readonly skipped: number;
}

export interface Units {
  /** The longest first; none if there is only one. */
  readonly units: readonly UnitRow[];
  /** The time of the response in which none of them ran. */
  readonly outsideMs: number;
}

/** Queries, and the jobs that no query submitted. */
export function unitsOf(
  job: TraceJob,
  { responseMs, phases }: Pick<Why, "responseMs" | "phases">,
): Units {
  const queries = queriesIn(job).filter(({ isWithin }) => isWithin !== true);
  const jobs = sparkJobsIn(job).filter((_, n) => job.spans[n]?.query === undefined);
  const all = [...queries, ...jobs];
  if (all.length < 2) return { units: [], outsideMs: 0 };
  const units = all.map((part): UnitRow => {
    const { name, title, outcome, spans } = part;
    const own = job.phases.flatMap(({ span }, n) => (spans.has(span) ? [cell(phases[n])] : []));
    const tookMs = part.endedAt - part.submittedAt;
    return {
      unit: name,
      ...(title !== undefined && { title }),
      outcome,
      submittedMs: part.submittedAt - job.submittedAt,
      tookMs,
      share: responseMs > 0 ? tookMs / responseMs : 0,
      delayMs: own.reduce((sum, { delayMs }) => sum + delayMs, 0),
      jobs: spans.size,
      stages: own.length,
      skipped: [...spans].reduce((sum, n) => sum + (cell(job.spans[n]).skipped ?? 0), 0),
    };
  });
  return {
    units: units.sort((a, b) => Math.sign(b.tookMs - a.tookMs)),
    outsideMs: responseMs - coveredMs(all, job),
  };
}

/** The time of the job that at least one of the parts covers. */
function coveredMs(parts: readonly JobPart[], { submittedAt, endedAt }: TraceJob): number {
  let [at, covered] = [submittedAt, 0];
  for (const part of parts.toSorted((a, b) => Math.sign(a.submittedAt - b.submittedAt))) {
    const [from, until] = [Math.max(at, part.submittedAt), Math.min(endedAt, part.endedAt)];
    if (until <= from) continue;
    covered += until - from;
    at = until;
  }
  return covered;
}
