import { ATTEMPT_KINDS } from "../model/attempt.ts";
import {
  type AttemptColumns,
  CURVE_POINTS,
  LOCALITIES,
  MEASURES,
  type Measure,
  TRACE_ENDS,
  type TraceAttempt,
  UNKNOWN,
} from "./columns.ts";

/** Gathers attempts in any order. Memory doubles as it fills: 150 bytes an attempt. */
export class ColumnsBuilder {
  #length = 0;
  #columns = resized(NO_ROWS, 16);
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
    this.#measures(attempt, row);
    if (curve !== undefined) {
      this.#curves ??= new Float32Array(columns.task.length * CURVE_POINTS).fill(Number.NaN);
      this.#curves.set(curve.slice(0, CURVE_POINTS), row * CURVE_POINTS);
    }
    this.#length = row + 1;
  }

  /** Written out: a loop over names takes a third of the time of reading a log. */
  #measures(attempt: TraceAttempt, row: number): void {
    const columns = this.#columns;
    const none = Number.NaN;
    columns.assignedAt[row] = attempt.assignedAt ?? none;
    columns.startedAt[row] = attempt.startedAt;
    columns.endedAt[row] = attempt.endedAt;
    columns.inputBytes[row] = attempt.inputBytes ?? none;
    columns.inputRecords[row] = attempt.inputRecords ?? none;
    columns.shuffleBytes[row] = attempt.shuffleBytes ?? none;
    columns.shuffleRecords[row] = attempt.shuffleRecords ?? none;
    columns.outputBytes[row] = attempt.outputBytes ?? none;
    columns.gcMs[row] = attempt.gcMs ?? none;
    columns.fetchWaitMs[row] = attempt.fetchWaitMs ?? none;
    columns.deserializeMs[row] = attempt.deserializeMs ?? none;
    columns.cpuMs[row] = attempt.cpuMs ?? none;
    columns.spilledBytes[row] = attempt.spilledBytes ?? none;
    columns.shuffleEndAt[row] = attempt.shuffleEndAt ?? none;
    columns.sortEndAt[row] = attempt.sortEndAt ?? none;
    columns.score[row] = attempt.score ?? none;
  }

  /** The attempts in the order of their starts; ties keep the order of `add`. Ends the builder. */
  build(): AttemptColumns {
    const [all] = this.split(new Uint32Array(this.#length), 1);
    return all ?? { length: 0, ...NO_ROWS };
  }

  /** As `build`, for each group: row n, in the order of `add`, belongs to groups[n]. */
  split(groups: ArrayLike<number>, count: number): readonly AttemptColumns[] {
    const { order, ends } = this.#order(groups, count);
    const size = order.length;
    const columns = this.#columns;
    this.#columns = NO_ROWS;
    // One after another, so that only one of them is in memory twice.
    for (const name of COUNTS) columns[name] = gather(columns[name], order, new Int32Array(size));
    for (const name of CODES) columns[name] = gather(columns[name], order, new Uint8Array(size));
    for (const name of MEASURES) {
      columns[name] = gather(columns[name], order, new Float64Array(size));
    }
    const curves = this.#curvesIn(order);
    return Array.from({ length: count }, (_, group) => {
      const [from, to] = [ends[group - 1] ?? 0, ends[group] ?? 0];
      const points = curves?.subarray(from * CURVE_POINTS, to * CURVE_POINTS);
      const hasCurve = points?.some((point) => !Number.isNaN(point)) === true;
      const part = partOf(columns, from, to);
      return { length: to - from, ...part, ...(hasCurve && { curves: points }) };
    });
  }

  /** Rows by group and start, and where each group ends. */
  #order(groups: ArrayLike<number>, count: number): { order: Uint32Array; ends: Uint32Array } {
    const { startedAt } = this.#columns;
    const ends = new Uint32Array(count);
    for (let row = 0; row < this.#length; row++) ends[groups[row]!]! += 1;
    for (let group = 1; group < count; group++) ends[group]! += ends[group - 1]!;
    const next = Uint32Array.from(ends);
    const order = new Uint32Array(this.#length);
    for (let row = this.#length - 1; row >= 0; row--) {
      const group = groups[row]!;
      next[group]! -= 1;
      order[next[group]!] = row;
    }
    const at = (row: number): number => startedAt[row]!;
    for (let group = 0; group < count; group++) {
      const rows = order.subarray(ends[group - 1] ?? 0, ends[group]);
      rows.sort((a, b) => (at(a) === at(b) ? a - b : at(a) < at(b) ? -1 : 1));
    }
    return { order, ends };
  }

  #curvesIn(order: Uint32Array): Float32Array | undefined {
    const curves = this.#curves;
    if (curves === undefined) return undefined;
    const sorted = new Float32Array(order.length * CURVE_POINTS);
    for (const [row, source] of order.entries()) {
      const points = curves.subarray(source * CURVE_POINTS, (source + 1) * CURVE_POINTS);
      sorted.set(points, row * CURVE_POINTS);
    }
    return sorted;
  }

  #grow(): void {
    const rows = this.#length * 2;
    this.#columns = resized(this.#columns, rows);
    if (this.#curves === undefined) return;
    const curves = new Float32Array(rows * CURVE_POINTS).fill(Number.NaN);
    curves.set(this.#curves);
    this.#curves = curves;
  }
}

const COUNTS = ["task", "ordinal", "node", "executor"] as const;
const CODES = ["kinds", "ends", "localities"] as const;

type Columns = { -readonly [name in (typeof COUNTS)[number]]: Int32Array } & {
  -readonly [name in (typeof CODES)[number]]: Uint8Array;
} & { -readonly [name in Measure]: Float64Array };

function gather<T extends Int32Array | Uint8Array | Float64Array>(
  from: T,
  order: Uint32Array,
  into: T,
): T {
  for (let row = 0; row < order.length; row++) into[row] = from[order[row]!]!;
  return into;
}

const partOf = (columns: Columns, from: number, to: number): Columns =>
  each(columns, {
    counts: (column) => column.subarray(from, to),
    codes: (column) => column.subarray(from, to),
    values: (column) => column.subarray(from, to),
  });

/** Longer columns with the same beginning. */
function resized(columns: Columns, rows: number): Columns {
  const grown = <T extends Int32Array | Uint8Array | Float64Array>(into: T, from: T): T => {
    into.set(from);
    return into;
  };
  return each(columns, {
    counts: (column) => grown(new Int32Array(rows), column),
    codes: (column) => grown(new Uint8Array(rows), column),
    values: (column) => grown(new Float64Array(rows), column),
  });
}

const NO_ROWS: Columns = (() => {
  const counts = new Int32Array(0);
  const codes = new Uint8Array(0);
  const values = new Float64Array(0);
  return {
    task: counts,
    ordinal: counts,
    node: counts,
    executor: counts,
    kinds: codes,
    ends: codes,
    localities: codes,
    assignedAt: values,
    startedAt: values,
    endedAt: values,
    inputBytes: values,
    inputRecords: values,
    shuffleBytes: values,
    shuffleRecords: values,
    outputBytes: values,
    gcMs: values,
    fetchWaitMs: values,
    deserializeMs: values,
    cpuMs: values,
    spilledBytes: values,
    shuffleEndAt: values,
    sortEndAt: values,
    score: values,
  };
})();

interface Each {
  readonly counts: (from: Int32Array) => Int32Array;
  readonly codes: (from: Uint8Array) => Uint8Array;
  readonly values: (from: Float64Array) => Float64Array;
}

/** Columns that are each derived from another. */
function each(from: Columns, { counts, codes, values }: Each): Columns {
  return {
    task: counts(from.task),
    ordinal: counts(from.ordinal),
    node: counts(from.node),
    executor: counts(from.executor),
    kinds: codes(from.kinds),
    ends: codes(from.ends),
    localities: codes(from.localities),
    assignedAt: values(from.assignedAt),
    startedAt: values(from.startedAt),
    endedAt: values(from.endedAt),
    inputBytes: values(from.inputBytes),
    inputRecords: values(from.inputRecords),
    shuffleBytes: values(from.shuffleBytes),
    shuffleRecords: values(from.shuffleRecords),
    outputBytes: values(from.outputBytes),
    gcMs: values(from.gcMs),
    fetchWaitMs: values(from.fetchWaitMs),
    deserializeMs: values(from.deserializeMs),
    cpuMs: values(from.cpuMs),
    spilledBytes: values(from.spilledBytes),
    shuffleEndAt: values(from.shuffleEndAt),
    sortEndAt: values(from.sortEndAt),
    score: values(from.score),
  };
}
