import type { PhaseBook, Piece } from "./books.ts";

/**
 * The progress of an attempt from a moment on, a piece for each stage: its rate in a stage is its
 * usual rate times the stage's factor.
 */
export function piecesFrom(
  { factors, shares }: Pick<PhaseBook, "factors" | "shares">,
  first: Piece,
): Piece[] {
  const usual = first.perMs / (factors[first.stage] ?? 1);
  const pieces = [first];
  let end = 0;
  for (const [stage, share] of shares.entries()) {
    const last = pieces.at(-1) ?? first;
    if (stage > first.stage) {
      const from = last.from + (end - last.score) / last.perMs;
      pieces.push({ from, score: end, perMs: usual * (factors[stage] ?? 1), stage });
    }
    end += share;
  }
  return pieces;
}

/** The stage and the score at which each stage was entered, as far as the host has told. */
export interface Entry {
  readonly stage: number;
  readonly at: number;
  readonly score: number;
}
