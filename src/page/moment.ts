import type { Refusal } from "../report/page/document.ts";
import { span } from "./format.ts";
import { CUT_OFF, type Run, SUCCEEDED } from "./run.ts";

export interface Moment {
  /** Running attempts, the one that would end last first; those that wait for a phase last. */
  readonly running: readonly Going[];
  /** By phase: how many of its tasks are done. */
  readonly done: readonly number[];
  readonly refusals: readonly Refusal[];
}

/** A running attempt, as far as its progress is known. */
export interface Going {
  readonly i: number;
  /** NaN if the source does not tell. */
  readonly score: number;
  /** Infinite if nobody can tell. */
  readonly leftMs: number;
  /** The phase that the attempt reads and that is not done: its progress is that phase's doing. */
  readonly waitsFor: number | undefined;
}

/** A policy is asked now and then: its last refusal holds for so long. */
const HOLDS_MS = 3_000;
/** Below this score, the rate of an attempt says little. */
const TOLD = 0.05;

/** What was known at a moment. COST: O(attempts). */
export function momentAt(run: Run, at: number): Moment {
  const { attempts, head } = run;
  const done = doneBy(run, at);
  const running: Going[] = [];
  for (let i = 0; i < attempts.length; i++) {
    if ((attempts.startedAt[i] ?? 0) > at || hasEnded(run, i, at)) continue;
    const waitsFor = head.phases[attempts.phase[i] ?? 0]?.reads.find(
      (phase) => (done[phase] ?? 0) < (head.phases[phase]?.tasks ?? 0),
    );
    const score = run.scoreAt(i, at);
    const leftMs = score >= TOLD ? run.leftMs(i, at) : Infinity;
    running.push({ i, score, leftMs, waitsFor });
  }
  running.sort((a, b) => rank(b) - rank(a) || a.i - b.i);
  const refusals = head.refusals
    .filter(({ from, to }) => from <= at && to + HOLDS_MS >= at)
    .toSorted((a, b) => ofCopies(b) - ofCopies(a) || b.count - a.count);
  return { running, done, refusals };
}

/** The time left in words; or why nobody can tell. */
export function leftText(run: Run, { leftMs, waitsFor }: Going): string {
  if (waitsFor !== undefined) return `waits for ${run.phaseName(waitsFor)}`;
  return Number.isFinite(leftMs) ? span(leftMs) : "cannot tell yet";
}

/** By the time left; those of which nobody can tell come next, and then those that wait. */
export function rank({ leftMs, waitsFor }: Pick<Going, "leftMs" | "waitsFor">): number {
  if (waitsFor !== undefined) return -1;
  return Number.isFinite(leftMs) ? leftMs : 0;
}

/** What still runs in a live page, or when the log ends, ends with it. */
const hasEnded = (run: Run, i: number, at: number): boolean =>
  run.attempts.end[i] === CUT_OFF
    ? (run.attempts.endedAt[i] ?? 0) < at
    : (run.attempts.endedAt[i] ?? 0) <= at;

function doneBy({ head, attempts }: Run, at: number): readonly number[] {
  const isDone = head.phases.map(({ tasks }) => new Uint8Array(tasks));
  for (let i = 0; i < attempts.length; i++) {
    if (attempts.end[i] !== SUCCEEDED || (attempts.endedAt[i] ?? 0) > at) continue;
    const own = isDone[attempts.phase[i] ?? 0];
    if (own !== undefined) own[attempts.task[i] ?? 0] = 1;
  }
  return isDone.map((own) => own.reduce((sum, one) => sum + one, 0));
}

/** Refusals of a task, or of all copies, before those of an empty slot. */
const ofCopies = ({ who, numbers }: Refusal): number => Number(who !== "" || !("slot" in numbers));
