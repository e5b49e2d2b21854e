import { ATTEMPT_KINDS, type AttemptKind } from "../model/attempt.ts";
import type { Locality } from "../model/job.ts";

/** How an attempt ended; `cut-off`: the log ends before the attempt does. */
export const TRACE_ENDS = ["succeeded", "failed", "killed", "lost", "cut-off"] as const;
export type TraceEnd = (typeof TRACE_ENDS)[number];

export const LOCALITIES: readonly Locality[] = ["node", "rack", "any"];

/** Times in ms since the trace's origin; sizes in bytes; NaN where the log says nothing. */
export const MEASURES = [
  /** A slot was given to the attempt; NaN if the log does not distinguish it from the start. */
  "assignedAt",
  "startedAt",
  "endedAt",
  "inputBytes",
  "inputRecords",
  "shuffleBytes",
  "shuffleRecords",
  "outputBytes",
  "gcMs",
  "fetchWaitMs",
  "deserializeMs",
  "cpuMs",
  "spilledBytes",
  /** When a reduce had fetched all its input, and when it had sorted it. */
  "shuffleEndAt",
  "sortEndAt",
  /** The progress score, 0 to 1, of an attempt that was killed. */
  "score",
] as const;
export type Measure = (typeof MEASURES)[number];

/** Values of a recorded progress curve: when each twelfth of the progress was reached. */
export const CURVE_POINTS = 12;

/** An attempt as a reader knows it. Absent measures are not in the log. */
export interface TraceAttempt extends Partial<Readonly<Record<Measure, number>>> {
  /** Index of the task within its phase. */
  readonly task: number;
  /** Number of the attempt within its task, from 0, in the order of starts. */
  readonly ordinal: number;
  readonly as: AttemptKind;
  /** Indexes into the job's `nodes` and `executors`; -1 if unknown. */
  readonly node: number;
  readonly executor: number;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly ended: TraceEnd;
  readonly locality?: Locality | undefined;
  /** Milliseconds after the start at which each twelfth of the progress was reached. */
  readonly curve?: readonly number[] | undefined;
}

type Measures = { readonly [name in Measure]: Float64Array };

/** The attempts of a phase as columns: one value per attempt, at most 300 bytes each. */
export interface AttemptColumns extends Measures {
  readonly length: number;
  readonly task: Int32Array;
  readonly ordinal: Int32Array;
  readonly node: Int32Array;
  readonly executor: Int32Array;
  /** Indexes into ATTEMPT_KINDS, TRACE_ENDS and the localities; see `kindAt` and its neighbours. */
  readonly kinds: Uint8Array;
  readonly ends: Uint8Array;
  readonly localities: Uint8Array;
  /** CURVE_POINTS values per attempt, NaN where there is no curve; absent if no attempt has one. */
  readonly curves?: Float32Array;
}

/** The code of a locality that the log does not give. */
export const UNKNOWN = 255;

export const kindAt = (columns: AttemptColumns, row: number): AttemptKind =>
  ATTEMPT_KINDS[columns.kinds[row] ?? 0] ?? "original";

export const endAt = (columns: AttemptColumns, row: number): TraceEnd =>
  TRACE_ENDS[columns.ends[row] ?? 0] ?? "cut-off";

/** Undefined if the log does not say where the attempt's data was. */
export const localityAt = (columns: AttemptColumns, row: number): Locality | undefined =>
  LOCALITIES[columns.localities[row] ?? UNKNOWN];
