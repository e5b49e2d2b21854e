import { CURVE_POINTS } from "../../trace/columns.ts";
import {
  type AttemptTable,
  COLUMNS,
  type ColumnName,
  columnsOf,
  type Decision,
  type PageDocument,
  type PageHead,
  type Refusal,
} from "./document.ts";
import type { Frame } from "./frame.ts";

type Columns = { [name in ColumnName]: Float64Array };

/**
 * A page that grows. Rows of attempts have ids, in the order in which they were first seen, and the
 * cursor at which they last changed: whoever has seen a cursor gets the rows of later ones, as they
 * are now. A frame may be applied twice.
 */
export class LiveTable {
  #cursor = 0;
  #head: PageHead | undefined;
  #count = 0;
  #columns: Columns = emptyColumns(64);
  #curves = grown(new Float64Array(), 64 * CURVE_POINTS);
  #changedAt = new Float64Array(64);
  readonly #ids = new Map<string, number>();
  #decisions: Decision[] = [];
  readonly #decidedAt: number[] = [];
  #refusals: Refusal[] = [];
  readonly #refusedAt: number[] = [];

  get cursor(): number {
    return this.#cursor;
  }

  /** Takes over a page, and counts on if anything in it changed. */
  update({ head, attempts }: PageDocument): void {
    this.#cursor += 1;
    const { decisions, refusals } = head;
    this.#head = head;
    const ids: number[] = [];
    for (let i = 0; i < attempts.length; i++) {
      const id = this.#idOf(attempts, i);
      ids.push(id);
      if (this.#differs(attempts, i, id)) this.#set(attempts, i, id);
    }
    // A decision's attempt is a row of that page; here it is an id.
    for (const decision of decisions.slice(this.#decisions.length)) {
      this.#decisions.push({ ...decision, attempt: ids[decision.attempt] ?? -1 });
      this.#decidedAt.push(this.#cursor);
    }
    for (const [n, refusal] of refusals.entries()) {
      if (this.#refusals[n]?.count === refusal.count) continue;
      this.#refusals[n] = refusal;
      this.#refusedAt[n] = this.#cursor;
    }
  }

  /** What changed after the cursor; everything for cursor 0. */
  frameAfter(cursor: number): Frame | undefined {
    const head = this.#head;
    if (head === undefined || cursor >= this.#cursor) return undefined;
    const ids: number[] = [];
    for (let id = 0; id < this.#count; id++) {
      if ((this.#changedAt[id] ?? 0) > cursor) ids.push(id);
    }
    const pick = (from: Float64Array): Float64Array =>
      Float64Array.from(ids, (id) => from[id] ?? Number.NaN);
    const columns = columnsOf((name) => pick(this.#columns[name]));
    const curves = new Float64Array(ids.length * CURVE_POINTS);
    for (const [n, id] of ids.entries()) {
      const own = this.#curves.subarray(id * CURVE_POINTS, (id + 1) * CURVE_POINTS);
      curves.set(own, n * CURVE_POINTS);
    }
    const after = (at: readonly number[]): readonly number[] =>
      at.flatMap((one, n) => (one > cursor ? [n] : []));
    return {
      cursor: this.#cursor,
      head: { ...head, decisions: [], refusals: [] },
      decisions: after(this.#decidedAt).map((n) => [n, this.#decisions[n]] as const),
      refusals: after(this.#refusedAt).map((n) => [n, this.#refusals[n]] as const),
      ids: Float64Array.from(ids),
      attempts: { length: ids.length, ...columns, curves },
    };
  }

  apply({ cursor, head, decisions, refusals, ids, attempts }: Frame): void {
    this.#cursor = cursor;
    this.#head = head;
    for (const [n, decision] of decisions) {
      if (decision === undefined) continue;
      this.#decisions[n] = decision;
      this.#decidedAt[n] = cursor;
    }
    for (const [n, refusal] of refusals) {
      if (refusal === undefined) continue;
      this.#refusals[n] = refusal;
      this.#refusedAt[n] = cursor;
    }
    for (const [i, id] of ids.entries()) {
      this.#reserve(id + 1);
      this.#set(attempts, i, id);
    }
  }

  /** The page, with its attempts in their order. COST: O(n log n). */
  document(): PageDocument | undefined {
    const head = this.#head;
    if (head === undefined) return undefined;
    const { row, startedAt } = this.#columns;
    const order = Array.from({ length: this.#count }, (_, id) => id).sort(
      (a, b) => (row[a] ?? 0) - (row[b] ?? 0) || (startedAt[a] ?? 0) - (startedAt[b] ?? 0) || a - b,
    );
    const place = new Int32Array(this.#count);
    for (const [n, id] of order.entries()) place[id] = n;
    const columns = columnsOf((name) => Float64Array.from(order, (id) => this.#columns[name][id]!));
    const curves = new Float64Array(order.length * CURVE_POINTS);
    for (const [n, id] of order.entries()) {
      const own = this.#curves.subarray(id * CURVE_POINTS, (id + 1) * CURVE_POINTS);
      curves.set(own, n * CURVE_POINTS);
    }
    const decisions = this.#decisions.map((one) => ({ ...one, attempt: place[one.attempt] ?? -1 }));
    const hasCurves = curves.some((value) => !Number.isNaN(value));
    const attempts = { length: order.length, ...columns, ...(hasCurves && { curves }) };
    return { head: { ...head, decisions, refusals: this.#refusals }, attempts };
  }

  #idOf({ phase, task, ordinal }: AttemptTable, i: number): number {
    const key = `${phase[i]} ${task[i]} ${ordinal[i]}`;
    const known = this.#ids.get(key);
    if (known !== undefined) return known;
    const id = this.#ids.size;
    this.#ids.set(key, id);
    this.#reserve(id + 1);
    return id;
  }

  #differs(attempts: AttemptTable, i: number, id: number): boolean {
    if ((this.#changedAt[id] ?? 0) === 0) return true;
    return COLUMNS.some((name) => !Object.is(this.#columns[name][id], attempts[name][i]));
  }

  #set(attempts: AttemptTable, i: number, id: number): void {
    for (const name of COLUMNS) this.#columns[name][id] = attempts[name][i] ?? Number.NaN;
    const { curves } = attempts;
    for (let point = 0; point < CURVE_POINTS; point++) {
      const value = curves?.[i * CURVE_POINTS + point] ?? Number.NaN;
      this.#curves[id * CURVE_POINTS + point] = value;
    }
    this.#changedAt[id] = this.#cursor;
  }

  #reserve(count: number): void {
    this.#count = Math.max(this.#count, count);
    if (count <= this.#changedAt.length) return;
    const size = Math.max(count, 2 * this.#changedAt.length);
    this.#columns = columnsOf((name) => grown(this.#columns[name], size));
    this.#curves = grown(this.#curves, size * CURVE_POINTS);
    const changedAt = new Float64Array(size);
    changedAt.set(this.#changedAt);
    this.#changedAt = changedAt;
  }
}

const emptyColumns = (size: number): Columns => columnsOf(() => grown(new Float64Array(), size));

function grown(values: Float64Array, size: number): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(size).fill(Number.NaN);
  larger.set(values);
  return larger;
}
