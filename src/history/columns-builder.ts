import { type ColumnsOf, partOf, Rows } from "../base/rows.ts";
import { ATTEMPT_KINDS } from "../model/attempt.ts";
import {
  ATTEMPT,
  type AttemptColumns,
  CURVE_POINTS,
  LOCALITIES,
  MEASURES,
  type Measure,
  TRACE_ENDS,
  type TraceAttempt,
  UNKNOWN,
} from "./columns.ts";

/** What every attempt has; see TraceAttempt. */
export type AppendedAttempt = Omit<TraceAttempt, Exclude<Measure, Moment>>;

type Moment = "startedAt" | "endedAt" | "heardAt";

/** Gathers attempts in any order. Memory doubles as it fills: 150 bytes an attempt. */
export class ColumnsBuilder {
  readonly #rows = new Rows(ATTEMPT);
  /** CURVE_POINTS values of each row, if any has a curve. */
  #curves: Float32Array | undefined;

  get length(): number {
    return this.#rows.length;
  }

  /** Longer than `length`; others after the next attempt. */
  get columns(): ColumnsOf<typeof ATTEMPT> {
    return this.#rows.columns;
  }

  /** Adds an attempt with all that is known of it. */
  add(attempt: TraceAttempt): void {
    const row = this.append(attempt);
    const { columns } = this.#rows;
    for (const name of MEASURES) {
      const value = attempt[name];
      if (value !== undefined) columns[name][row] = value;
    }
  }

  /**
   * Adds an attempt without its measures but the times, and returns its row. COST: a reader of many
   * attempts writes the cells that it knows; for `add`, to look each measure up takes as long.
   */
  append(attempt: AppendedAttempt): number {
    const row = this.#rows.append();
    const { columns } = this.#rows;
    columns.task[row] = attempt.task;
    columns.ordinal[row] = attempt.ordinal;
    columns.node[row] = attempt.node;
    columns.executor[row] = attempt.executor;
    columns.kinds[row] = ATTEMPT_KINDS.indexOf(attempt.as);
    columns.ends[row] = TRACE_ENDS.indexOf(attempt.ended);
    columns.startedAt[row] = attempt.startedAt;
    columns.endedAt[row] = attempt.endedAt;
    columns.heardAt[row] = attempt.heardAt ?? attempt.endedAt;
    const { locality, curve } = attempt;
    columns.localities[row] = locality === undefined ? UNKNOWN : LOCALITIES.indexOf(locality);
    if (curve !== undefined) this.#addCurve(row, curve);
    return row;
  }

  #addCurve(row: number, curve: readonly number[]): void {
    const room = CURVE_POINTS * this.#rows.columns.task.length;
    if (this.#curves === undefined || this.#curves.length < room) {
      const longer = new Float32Array(room).fill(Number.NaN);
      if (this.#curves !== undefined) longer.set(this.#curves);
      this.#curves = longer;
    }
    this.#curves.set(curve.slice(0, CURVE_POINTS), row * CURVE_POINTS);
  }

  /** The attempts in the order of their starts; ties keep the order of `add`. */
  build(): AttemptColumns {
    const [all] = this.split(new Uint32Array(this.length), 1);
    return all ?? { ...new Rows(ATTEMPT).columns, length: 0 };
  }

  /** As `build`, for each group: row n, in the order of `add`, belongs to groups[n]. */
  split(groups: ArrayLike<number>, count: number): readonly AttemptColumns[] {
    const { order, ends } = this.#order(groups, count);
    const columns = this.#rows.takeInOrder(order);
    const curves = this.#curvesIn(order);
    return Array.from({ length: count }, (_, group) => {
      const [from, to] = [ends[group - 1] ?? 0, ends[group] ?? 0];
      const points = curves?.subarray(from * CURVE_POINTS, to * CURVE_POINTS);
      const hasCurve = points?.some((point) => !Number.isNaN(point)) === true;
      const part = partOf(ATTEMPT, columns, from, to);
      return { ...part, length: to - from, ...(hasCurve && { curves: points }) };
    });
  }

  /** Rows by group and start, and where each group ends. */
  #order(groups: ArrayLike<number>, count: number): { order: Uint32Array; ends: Uint32Array } {
    const { startedAt } = this.#rows.columns;
    const ends = new Uint32Array(count);
    for (let row = 0; row < this.length; row++) ends[groups[row]!]! += 1;
    for (let group = 1; group < count; group++) ends[group]! += ends[group - 1]!;
    const next = Uint32Array.from(ends);
    const order = new Uint32Array(this.length);
    for (let row = this.length - 1; row >= 0; row--) {
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
    const sorted = new Float32Array(order.length * CURVE_POINTS).fill(Number.NaN);
    for (const [row, source] of order.entries()) {
      const points = curves.subarray(source * CURVE_POINTS, (source + 1) * CURVE_POINTS);
      sorted.set(points, row * CURVE_POINTS);
    }
    return sorted;
  }
}
