import { type Cause, DECLARATIONS } from "./cause.ts";
import type { CauseRow, Why } from "./document.ts";
import { standsOut } from "./stands-out.ts";

/** Advice is worth a sentence from this share of the response on. */
const WORTH = 0.01;

/** What to do next, and what that alone would save: only where the evidence carries it. */
export function adviceOf(why: Omit<Why, "verdict">): readonly string[] {
  const { causes, responseMs } = why;
  const sure = (cause: Cause): CauseRow | undefined =>
    causes.find(
      (row) =>
        row.cause === cause && standsOut(row, responseMs) && row.aloneMs >= WORTH * responseMs,
    );
  return DECLARATIONS.flatMap(({ name, advice }) => (advice ? [{ name, ...advice }] : []))
    .sort((a, b) => Math.sign(a.rank - b.rank))
    .flatMap(({ name, of }) => {
      const row = sure(name);
      return row === undefined ? [] : of(why, row);
    });
}
