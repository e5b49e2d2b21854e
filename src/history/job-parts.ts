import { grouped } from "../base/grouped.ts";
import { cell } from "../base/rows.ts";
import { endAt } from "./columns.ts";
import type { TraceJob, TracePhase } from "./model.ts";

/** A part of a job that its user knows: a query of SQL, a job of Spark, or a phase. */
export interface JobPart {
  /** `query 3`, `job 7`, `stage 12`, `map`. */
  readonly name: string;
  readonly title?: string;
  readonly outcome: TraceJob["outcome"];
  readonly submittedAt: number;
  readonly endedAt: number;
  /** The jobs of Spark that belong to it: indexes into the job's `spans`. */
  readonly spans: ReadonlySet<number>;
  /** Of a part that is one phase: its index. */
  readonly phase?: number;
  /** Whether another part of its kind has it, too: a query that another query began. */
  readonly isWithin?: true;
}

/** The queries of SQL, in the order of their numbers. */
export function queriesIn({ queries = [], spans }: TraceJob): readonly JobPart[] {
  const spansOf = grouped([...spans.keys()], (n) => cell(spans[n]).query ?? -1);
  const begunBy = grouped([...queries.keys()], (n) => cell(queries[n]).within ?? -1);
  return queries.map(({ within, ...query }, own) => {
    const all = [own, ...(begunBy.get(own) ?? [])];
    return {
      ...query,
      spans: new Set(all.flatMap((n) => spansOf.get(n) ?? [])),
      ...(within !== undefined && { isWithin: true }),
    };
  });
}

/** The jobs of Spark, in the order of their numbers. */
export const sparkJobsIn = ({ spans }: TraceJob): readonly JobPart[] =>
  spans.map(({ query: _query, skipped: _skipped, ...span }, n) => ({
    ...span,
    spans: new Set([n]),
  }));

/** The phases that ran, in their order. */
export function phasesIn(job: TraceJob): readonly JobPart[] {
  return job.phases.flatMap((phase, n) => {
    const { name, title, submittedAt, span, attempts } = phase;
    const [first] = attempts.startedAt;
    if (first === undefined) return [];
    return {
      name,
      ...(title !== undefined && { title }),
      outcome: outcomeOf(phase, span < 0 ? job.outcome : cell(job.spans[span]).outcome),
      submittedAt: Math.min(submittedAt ?? first, first),
      endedAt: attempts.endedAt.reduce((most, at) => Math.max(most, at)),
      spans: new Set(span < 0 ? [] : [span]),
      phase: n,
    };
  });
}

/** A phase of which all tasks are done has succeeded, whatever became of its job. */
function outcomeOf({ attempts, tasks }: TracePhase, ofJob: TraceJob["outcome"]) {
  const isDone = new Uint8Array(tasks);
  for (let row = 0; row < attempts.length; row++) {
    if (endAt(attempts, row) === "succeeded") isDone[cell(attempts.task[row])] = 1;
  }
  return isDone.includes(0) ? ofJob : "succeeded";
}
