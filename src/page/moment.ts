import { cell } from "../base/rows.ts";
import { endAt } from "../history/columns.ts";
import type { Refusal } from "../report/page/document.ts";
import { span } from "./format.ts";
import type { Run } from "./run.ts";
import { type Progress, progressAt } from "./stages.ts";

export interface Moment {
  /** Running attempts, the one that would end last first; those that wait for a phase last. */
  readonly running: readonly Going[];
  /** By phase: how many of its tasks are done. */
  readonly done: readonly number[];
  readonly refusals: readonly Refusal[];
}

/** A running attempt, as far as its progress is known. */
export interface Going extends Progress {
  readonly i: number;
  /** The unfinished phase that the attempt reads, which determines the attempt's progress. */
  readonly waitsFor: number | undefined;
}

/** A policy is asked only now and then; its last refusal holds for this long. */
const HOLDS_MS = 3_000;

export const isInForce = (one: Pick<Refusal, "from" | "to">, at: number): boolean =>
  one.from <= at && one.to + HOLDS_MS >= at;

/** What was known at a moment. COST: O(attempts). */
export function momentAt(run: Run, at: number): Moment {
  const { attempts, head } = run;
  const done = doneBy(run, at);
  const running: Going[] = [];
  const progress = progressAt(run, at);
  const silent = new Set(
    head.spans
      .filter(({ what, from, to }) => what !== "fault" && from <= at && to >= at)
      .map(({ node }) => node),
  );
  for (let i = 0; i < attempts.length; i++) {
    if (attempts.startedAt[i]! > at || run.hasEnded(i, at)) continue;
    const waitsFor = head.phases[cell(attempts.phase[i])]?.reads.find(
      (phase) => cell(done[phase]) < (head.phases[phase]?.tasks ?? 0),
    );
    const told = progress(i);
    const leftMs = silent.has(attempts.node[i] ?? -1) ? Infinity : told.leftMs;
    running.push({ ...told, i, leftMs, waitsFor });
  }
  running.sort((a, b) => rank(b) - rank(a) || a.i - b.i);
  const refusals = head.refusals
    .filter((one) => isInForce(one, at))
    .toSorted((a, b) => ofCopies(b) - ofCopies(a) || b.count - a.count);
  return { running, done, refusals };
}

/** The time left in words, or why it is unknown. */
export function leftText(run: Run, { leftMs, waitsFor }: Going): string {
  if (waitsFor !== undefined) return `waits for ${run.phaseName(waitsFor)}`;
  return Number.isFinite(leftMs) ? span(leftMs) : "cannot tell";
}

/** The score, after the name of the stage where there are several. */
export const scoreText = ({ score, stage }: Going): string =>
  Number.isNaN(score) ? "–" : `${stage} ${score.toFixed(2)}`.trim();

/** For instance `0.24/s`. */
export const rateText = (perMs = Number.NaN): string =>
  Number.isFinite(perMs) ? `${Number((1_000 * perMs).toPrecision(2))}/s` : "–";

/** By the time left, the longest first; then attempts of unknown time, then those that wait. */
export function rank({ leftMs, waitsFor }: Pick<Going, "leftMs" | "waitsFor">): number {
  if (waitsFor !== undefined) return -1;
  return Number.isFinite(leftMs) ? leftMs : 0;
}

function doneBy({ head, attempts }: Run, at: number): readonly number[] {
  const isDone = head.phases.map(({ tasks }) => new Uint8Array(tasks));
  for (let i = 0; i < attempts.length; i++) {
    if (endAt(attempts, i) !== "succeeded" || cell(attempts.endedAt[i]) > at) continue;
    const own = isDone[cell(attempts.phase[i])];
    if (own !== undefined) own[cell(attempts.task[i])] = 1;
  }
  return isDone.map((own) => own.reduce((sum, one) => sum + one, 0));
}

/** Refusals of a task, or of all copies, before those of an empty slot. */
const ofCopies = ({ who, numbers }: Refusal): number => Number(who !== "" || !("slot" in numbers));
