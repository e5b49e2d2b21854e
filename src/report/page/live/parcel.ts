import { CURVE_POINTS } from "../../../history/columns.ts";
import type { Decision, Refusal } from "../document.ts";
import {
  type Changes,
  LIVE_COLUMNS,
  type LiveColumn,
  type LiveHead,
  liveColumns,
  type Now,
  type Rows,
} from "./frame.ts";

/** A row as the fold knows it. NaN stands for what is unknown. */
export interface Row extends Readonly<Record<LiveColumn, number>> {
  readonly id: number;
}

/** The largest weight of a frame, in rows: about 2 MB. */
export const WEIGHT_MAX = 16_384;
/** A decision or a refusal is text, and counts as this many rows. */
export const TEXT_WEIGHT = 16;

export type Text =
  | { readonly decision: readonly [n: number, decision: Decision] }
  | { readonly refusal: readonly [n: number, refusal: Refusal] };

/** Rows one after the other. */
export class RowList {
  #length = 0;
  #ids = new Float64Array(64);
  #columns = liveColumns(() => new Float64Array(64));
  #curves = new Float64Array(64 * CURVE_POINTS);

  get length(): number {
    return this.#length;
  }

  add(row: Row, curve: readonly number[] | undefined): void {
    const at = this.#length++;
    if (at === this.#ids.length) this.#grow();
    this.#ids[at] = row.id;
    for (const name of LIVE_COLUMNS) this.#columns[name][at] = row[name];
    for (let point = 0; point < CURVE_POINTS; point++) {
      this.#curves[CURVE_POINTS * at + point] = curve?.[point] ?? Number.NaN;
    }
  }

  slice(from: number, to: number): Rows {
    const end = Math.min(to, this.#length);
    return {
      ids: this.#ids.slice(from, end),
      columns: liveColumns((name) => this.#columns[name].slice(from, end)),
      curves: this.#curves.slice(CURVE_POINTS * from, CURVE_POINTS * end),
    };
  }

  clear(): void {
    this.#length = 0;
  }

  #grow(): void {
    const size = 2 * this.#length;
    this.#ids = longer(this.#ids, size);
    this.#columns = liveColumns((name) => longer(this.#columns[name], size));
    this.#curves = longer(this.#curves, size * CURVE_POINTS);
  }
}

function longer(values: Float64Array, size: number): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(size);
  larger.set(values);
  return larger;
}

/** Splits changes into parts that each fit into one frame. */
export function* parcels(
  now: Now,
  head: LiveHead | undefined,
  changed: {
    readonly rows: RowList;
    readonly texts: readonly Text[];
    readonly gone: readonly number[];
  },
): Generator<Changes, void> {
  const { rows, texts, gone } = changed;
  let [row, text] = [0, 0];
  do {
    const isFirst = row === 0 && text === 0;
    const some = rows.slice(row, row + WEIGHT_MAX);
    row += some.ids.length;
    const room = Math.floor((WEIGHT_MAX - some.ids.length) / TEXT_WEIGHT);
    const told = texts.slice(text, text + room);
    text += told.length;
    yield {
      now,
      head: isFirst ? head : undefined,
      decisions: told.flatMap((one) => ("decision" in one ? [one.decision] : [])),
      refusals: told.flatMap((one) => ("refusal" in one ? [one.refusal] : [])),
      rows: some,
      gone: isFirst ? gone : [],
    };
  } while (row < rows.length || text < texts.length);
  rows.clear();
}
