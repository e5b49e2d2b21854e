import { type AttemptColumns, MEASURES } from "../../trace/columns.ts";
import type { TraceJob } from "../../trace/model.ts";

const COUNTS = ["task", "ordinal", "node", "executor"] as const;
const CODES = ["kinds", "ends", "localities"] as const;

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
  const all = Object.fromEntries(
    [...COUNTS, ...CODES].map((name) => [name, [...columns[name]]] as const),
  );
  const measured = MEASURES.map((name) => [name, columns[name]] as const);
  const curves = columns.curves === undefined ? [] : [["curves", columns.curves] as const];
  for (const [name, values] of [...measured, ...curves]) {
    if (values.every(Number.isNaN)) continue;
    all[name] = Array.from(values, (value) => (Number.isNaN(value) ? Number.NaN : value));
  }
  return all;
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

/** Columns from plain lists; missing columns hold NaN. */
export function columnsFrom(length: number, written: Written): AttemptColumns {
  const measure = (name: string, size = length): number[] =>
    Array.from({ length: size }, (_, i) => written[name]?.[i] ?? Number.NaN);
  const whole = (name: string): number[] => measure(name).map((value) => value || 0);
  const floats = (name: string): Float64Array => Float64Array.from(measure(name));
  const curves = written.curves;
  return {
    length,
    task: Int32Array.from(whole("task")),
    ordinal: Int32Array.from(whole("ordinal")),
    node: Int32Array.from(whole("node")),
    executor: Int32Array.from(whole("executor")),
    kinds: Uint8Array.from(whole("kinds")),
    ends: Uint8Array.from(whole("ends")),
    localities: Uint8Array.from(whole("localities")),
    assignedAt: floats("assignedAt"),
    startedAt: floats("startedAt"),
    endedAt: floats("endedAt"),
    inputBytes: floats("inputBytes"),
    inputRecords: floats("inputRecords"),
    shuffleBytes: floats("shuffleBytes"),
    shuffleRecords: floats("shuffleRecords"),
    outputBytes: floats("outputBytes"),
    gcMs: floats("gcMs"),
    fetchWaitMs: floats("fetchWaitMs"),
    deserializeMs: floats("deserializeMs"),
    cpuMs: floats("cpuMs"),
    spilledBytes: floats("spilledBytes"),
    shuffleEndAt: floats("shuffleEndAt"),
    sortEndAt: floats("sortEndAt"),
    score: floats("score"),
    ...(curves !== undefined && {
      curves: Float32Array.from(measure("curves", curves.length)),
    }),
  };
}
