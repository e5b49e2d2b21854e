import { cell, float32, partOf, Rows, wide } from "../base/rows.ts";
import { ATTEMPT, type AttemptColumns, CURVE_POINTS } from "./columns.ts";

/** Of the rows of few formats. */
const CURVE = { curves: wide(CURVE_POINTS, float32("when each twelfth was reached, ms")) } as const;

/**
 * Gathers attempts in any order: a reader appends a row and writes the cells that it knows. Memory
 * doubles as it fills: 150 bytes an attempt.
 */
export class ColumnsBuilder extends Rows<typeof ATTEMPT> {
  /** The curves of as many rows as have one, and of those between them. */
  readonly #curves = new Rows(CURVE);

  constructor() {
    super(ATTEMPT);
  }

  /** `curve`: ms after the start at which each twelfth of the progress was reached. */
  setCurve(row: number, curve: readonly number[]): void {
    while (this.#curves.length <= row) this.#curves.append();
    this.#curves.columns.curves.set(curve.slice(0, CURVE_POINTS), row * CURVE_POINTS);
  }

  /** The attempts in the order of their starts; ties keep the order of `append`. */
  build(): AttemptColumns {
    return cell(this.split(new Uint32Array(this.length), 1)[0]);
  }

  /**
   * As `build`, for each group: row n, in the order of `append`, belongs to groups[n]. `ties`: a
   * column that orders the attempts of one start before the order of `append` does.
   */
  split(groups: ArrayLike<number>, count: number, ties?: "endedAt"): readonly AttemptColumns[] {
    const { order, ends } = this.#order(groups, count, ties);
    const columns = this.takeInOrder(order);
    const curves = this.#curvesIn(order);
    return Array.from({ length: count }, (_, group) => {
      const [from, to] = [cell(ends[group]), cell(ends[group + 1])];
      const points = curves?.subarray(from * CURVE_POINTS, to * CURVE_POINTS);
      const hasCurve = points?.some((point) => !Number.isNaN(point)) === true;
      const part = partOf(ATTEMPT, columns, from, to);
      return { ...part, length: to - from, ...(hasCurve && { curves: points }) };
    });
  }

  /** Rows by group and start; group n is rows [ends[n], ends[n + 1]) of that order. */
  #order(
    groups: ArrayLike<number>,
    count: number,
    ties?: "endedAt",
  ): { order: Uint32Array; ends: Uint32Array } {
    const { startedAt, endedAt } = this.columns;
    const ends = new Uint32Array(count + 1);
    for (let row = 0; row < this.length; row++) ends[groups[row]! + 1]! += 1;
    for (let group = 0; group < count; group++) ends[group + 1]! += ends[group]!;
    const next = Uint32Array.from(ends);
    const order = new Uint32Array(this.length);
    for (let row = 0; row < this.length; row++) {
      const place = next[groups[row]!]!++;
      order[place] = row;
    }
    const at = (row: number): number => startedAt[row]!;
    const tied = (a: number, b: number): number =>
      ties === undefined ? a - b : endedAt[a]! - endedAt[b]! || a - b;
    for (let group = 0; group < count; group++) {
      const rows = order.subarray(ends[group], ends[group + 1]);
      rows.sort((a, b) => (at(a) === at(b) ? tied(a, b) : at(a) < at(b) ? -1 : 1));
    }
    return { order, ends };
  }

  #curvesIn(order: Uint32Array): Float32Array | undefined {
    if (this.#curves.length === 0) return undefined;
    while (this.#curves.length < order.length) this.#curves.append();
    return this.#curves.takeInOrder(order).curves;
  }
}
