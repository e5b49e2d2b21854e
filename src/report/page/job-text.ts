import { columnsBy } from "../../base/rows.ts";
import { ATTEMPT, type AttemptColumns } from "../../history/columns.ts";
import type { TraceJob } from "../../history/model.ts";

type Written = Readonly<Record<string, readonly (number | null)[]>>;

/** A job as text, for a simulator elsewhere: all its columns, to the last digit. */
export function jobText(job: TraceJob): string {
  const phases = job.phases.map(({ attempts, ...phase }) => ({
    ...phase,
    attempts: { length: attempts.length, columns: written(attempts) },
  }));
  return JSON.stringify({ ...job, phases, lacks: [...job.lacks] });
}

/** Columns without a value are left out. */
function written(columns: AttemptColumns): Written {
  const all = Object.entries({ ...columns, length: undefined }).flatMap(([name, values]) =>
    values === undefined || values.every(Number.isNaN) ? [] : [[name, [...values]] as const],
  );
  return Object.fromEntries(all);
}

interface Carried extends Omit<TraceJob, "lacks" | "phases"> {
  readonly lacks: readonly never[];
  readonly phases: readonly (Omit<TraceJob["phases"][number], "attempts"> & {
    readonly attempts: { readonly length: number; readonly columns: Written };
  })[];
}

/** The job of a text that `jobText` wrote. */
export function jobFrom(text: string): TraceJob {
  const job: Carried = JSON.parse(text);
  return {
    ...job,
    lacks: new Set(job.lacks),
    phases: job.phases.map(({ attempts, ...phase }) => ({
      ...phase,
      attempts: columnsFrom(attempts.length, attempts.columns),
    })),
  };
}

/** Columns from plain lists; missing ones are unknown throughout. */
export function columnsFrom(length: number, written: Written): AttemptColumns {
  const { curves } = written;
  const columns = columnsBy(ATTEMPT, (name, { make, unknown }) => {
    const column = make(length).fill(unknown);
    for (let row = 0; row < length; row++) column[row] = written[name]?.[row] ?? unknown;
    return column;
  });
  const points = curves?.map((value) => value ?? Number.NaN);
  return { ...columns, length, ...(points !== undefined && { curves: Float32Array.from(points) }) };
}
