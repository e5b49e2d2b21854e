import type { Refusal } from "../report/page/document.ts";
import { CUT_OFF, type Run } from "./run.ts";

export interface Moment {
  readonly running: number;
  /** Running attempts, the one that would end last first, as far as progress is known. */
  readonly last: readonly { readonly i: number; readonly score: number; readonly leftMs: number }[];
  readonly refusals: readonly Refusal[];
}

const LAST = 7;
const REFUSALS = 4;
/** A policy is asked now and then: its last refusal holds for so long. */
const HOLDS_MS = 3_000;

/** What was known at a moment. COST: O(attempts). */
export function momentAt(run: Run, at: number): Moment {
  const { startedAt } = run.attempts;
  const last: { i: number; score: number; leftMs: number }[] = [];
  let running = 0;
  for (let i = 0; i < run.attempts.length; i++) {
    if ((startedAt[i] ?? 0) > at || hasEnded(run, i, at)) continue;
    running += 1;
    const score = run.scoreAt(i, at);
    if (Number.isNaN(score)) continue;
    last.push({ i, score, leftMs: run.leftMs(i, at) });
  }
  last.sort((a, b) => (b.leftMs === a.leftMs ? a.i - b.i : b.leftMs - a.leftMs));
  const refusals = run.head.refusals
    .filter(({ from, to }) => from <= at && to + HOLDS_MS >= at)
    .toSorted((a, b) => ofCopies(b) - ofCopies(a) || b.count - a.count);
  return { running, last: last.slice(0, LAST), refusals: refusals.slice(0, REFUSALS) };
}

/** What still runs in a live page, or when the log ends, ends with it. */
const hasEnded = (run: Run, i: number, at: number): boolean =>
  run.attempts.end[i] === CUT_OFF
    ? (run.attempts.endedAt[i] ?? 0) < at
    : (run.attempts.endedAt[i] ?? 0) <= at;

/** Refusals of a task, or of all copies, before those of an empty slot. */
const ofCopies = ({ who, numbers }: Refusal): number => Number(who !== "" || !("slot" in numbers));
