import { ATTEMPT_KINDS, type AttemptKind } from "../model/attempt.ts";
import type { Locality } from "../model/job.ts";

/** How an attempt ended; `cut-off`: the log ends before the attempt does. */
export const TRACE_ENDS = ["succeeded", "failed", "killed", "lost", "cut-off"] as const;
export type TraceEnd = (typeof TRACE_ENDS)[number];

const LOCALITIES: readonly Locality[] = ["node", "rack", "any"];

/** Times in ms since the trace's origin; sizes in bytes; NaN where the log says nothing. */
export const MEASURES = [
  /** A slot was given to the attempt; NaN if the log does not tell it from the start. */
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

const UNKNOWN = 255;

export const kindAt = (columns: AttemptColumns, row: number): AttemptKind =>
  ATTEMPT_KINDS[columns.kinds[row] ?? 0] ?? "original";

export const endAt = (columns: AttemptColumns, row: number): TraceEnd =>
  TRACE_ENDS[columns.ends[row] ?? 0] ?? "cut-off";

/** Undefined if the log does not say where the attempt's data was. */
export const localityAt = (columns: AttemptColumns, row: number): Locality | undefined =>
  LOCALITIES[columns.localities[row] ?? UNKNOWN];

/** Gathers attempts in any order; their order is that of `add`. Memory doubles as it fills. */
export class ColumnsBuilder {
  #length = 0;
  #columns = allocate(16);
  #curves: Float32Array | undefined;

  get length(): number {
    return this.#length;
  }

  add(attempt: TraceAttempt): void {
    const row = this.#length;
    if (row === this.#columns.task.length) this.#grow();
    const columns = this.#columns;
    columns.task[row] = attempt.task;
    columns.ordinal[row] = attempt.ordinal;
    columns.node[row] = attempt.node;
    columns.executor[row] = attempt.executor;
    columns.kinds[row] = ATTEMPT_KINDS.indexOf(attempt.as);
    columns.ends[row] = TRACE_ENDS.indexOf(attempt.ended);
    const { locality, curve } = attempt;
    columns.localities[row] = locality === undefined ? UNKNOWN : LOCALITIES.indexOf(locality);
    for (const name of MEASURES) columns[name][row] = attempt[name] ?? Number.NaN;
    if (curve !== undefined) {
      this.#curves ??= new Float32Array(columns.task.length * CURVE_POINTS).fill(Number.NaN);
      this.#curves.set(curve.slice(0, CURVE_POINTS), row * CURVE_POINTS);
    }
    this.#length = row + 1;
  }

  /** The attempts so far, in the order of their starts; ties keep the order of `add`. */
  build(): AttemptColumns {
    const { startedAt } = this.#columns;
    const at = (row: number): number => startedAt[row] ?? 0;
    const order = Uint32Array.from({ length: this.#length }, (_, row) => row);
    order.sort((a, b) => (at(a) === at(b) ? a - b : at(a) < at(b) ? -1 : 1));
    const into = allocate(this.#length);
    for (const name of COLUMN_NAMES) {
      const [from, to] = [this.#columns[name], into[name]];
      for (const [row, source] of order.entries()) to[row] = from[source] ?? 0;
    }
    const curves = this.#curves;
    if (curves === undefined) return { length: this.#length, ...into };
    const sorted = new Float32Array(this.#length * CURVE_POINTS);
    for (const [row, source] of order.entries()) {
      const points = curves.subarray(source * CURVE_POINTS, (source + 1) * CURVE_POINTS);
      sorted.set(points, row * CURVE_POINTS);
    }
    return { length: this.#length, ...into, curves: sorted };
  }

  #grow(): void {
    const from = this.#columns;
    const into = allocate(from.task.length * 2);
    for (const name of COLUMN_NAMES) into[name].set(from[name]);
    this.#columns = into;
    if (this.#curves === undefined) return;
    const curves = new Float32Array(into.task.length * CURVE_POINTS).fill(Number.NaN);
    curves.set(this.#curves);
    this.#curves = curves;
  }
}

const COUNTS = ["task", "ordinal", "node", "executor"] as const;
const CODES = ["kinds", "ends", "localities"] as const;
const COLUMN_NAMES = [...COUNTS, ...CODES, ...MEASURES];

type Allocated = { -readonly [name in (typeof COUNTS)[number]]: Int32Array } & {
  -readonly [name in (typeof CODES)[number]]: Uint8Array;
} & { -readonly [name in Measure]: Float64Array };

function allocate(rows: number): Allocated {
  const counts = (): Int32Array => new Int32Array(rows);
  const codes = (): Uint8Array => new Uint8Array(rows);
  const values = (): Float64Array => new Float64Array(rows);
  return {
    task: counts(),
    ordinal: counts(),
    node: counts(),
    executor: counts(),
    kinds: codes(),
    ends: codes(),
    localities: codes(),
    assignedAt: values(),
    startedAt: values(),
    endedAt: values(),
    inputBytes: values(),
    inputRecords: values(),
    shuffleBytes: values(),
    shuffleRecords: values(),
    outputBytes: values(),
    gcMs: values(),
    fetchWaitMs: values(),
    deserializeMs: values(),
    cpuMs: values(),
    spilledBytes: values(),
    shuffleEndAt: values(),
    sortEndAt: values(),
    score: values(),
  };
}
