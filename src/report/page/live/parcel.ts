import { copyOf, type Rows } from "../../../base/rows.ts";
import type { Decision, Refusal } from "../document.ts";
import { type Changes, type LiveHead, type Now, SENT } from "./frame.ts";

/** The largest weight of a frame, in rows: about 2 MB. */
export const WEIGHT_MAX = 16_384;
/** A decision or a refusal is text, and counts as this many rows. */
export const TEXT_WEIGHT = 16;

export type Text =
  | { readonly decision: readonly [n: number, decision: Decision] }
  | { readonly refusal: readonly [n: number, refusal: Refusal] };

/** Splits changes into parts that each fit into one frame. */
export function* parcels(
  now: Now,
  head: LiveHead | undefined,
  changed: {
    readonly rows: Rows<typeof SENT>;
    readonly texts: readonly Text[];
    readonly gone: readonly number[];
  },
): Generator<Changes, void> {
  const { rows, texts, gone } = changed;
  let [row, text] = [0, 0];
  do {
    const isFirst = row === 0 && text === 0;
    const length = Math.min(WEIGHT_MAX, rows.length - row);
    const some = { length, columns: copyOf(SENT, rows.columns, row, row + length) };
    row += length;
    const room = Math.floor((WEIGHT_MAX - length) / TEXT_WEIGHT);
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
