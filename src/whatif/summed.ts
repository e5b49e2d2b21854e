import { percent, plain, span } from "../diagnose/figures.ts";
import { type Change, shownOf } from "./change.ts";
import type { WhatIf } from "./document.ts";

/** A policy over several jobs, if each ran again under it; negative is faster. Times in ms. */
export interface Summed {
  readonly policy: string;
  /** Jobs with an answer. */
  readonly jobs: number;
  /** Their responses under their own policies. */
  readonly responseMs: number;
  readonly ms: number;
  /** 95 %, as if each job's uncertainty were its own. */
  readonly lowMs: number;
  readonly highMs: number;
  /** The change of slot time, as a share of it. */
  readonly slotShare: number;
}

/** A job's answer, and the slot time that the job took. */
export interface Answered {
  readonly found: WhatIf;
  readonly slotMs: number;
}

/** The policies that every job with an answer has, the most time saved first. */
export function summed(answers: readonly Answered[]): readonly Summed[] {
  const judged = answers.filter(({ found }) => found.rows.length > 0);
  const policies = new Set(judged.flatMap(({ found }) => found.rows.map(({ policy }) => policy)));
  return [...policies]
    .flatMap((policy) => {
      const changes = judged.flatMap(({ found, slotMs }) => {
        const row = found.rows.find((one) => one.policy === policy);
        return row === undefined ? [] : [{ ...shownOf(row), found, slotMs }];
      });
      return changes.length < judged.length ? [] : [{ policy, ...sumOf(changes) }];
    })
    .sort((a, b) => Math.sign(a.ms - b.ms) || (a.policy < b.policy ? -1 : 1));
}

/** Errors of different jobs are independent: their squares add up. */
function sumOf(changes: readonly (Change & Answered)[]): Omit<Summed, "policy"> {
  const sum = (of: (change: Change & Answered) => number): number =>
    changes.reduce((all, change) => all + of(change), 0);
  const ms = sum((change) => change.ms);
  const square = (error: number): number => error * error;
  const below = Math.sqrt(sum((change) => square(change.ms - change.lowMs)));
  const above = Math.sqrt(sum((change) => square(change.highMs - change.ms)));
  return {
    ...{ jobs: changes.length, ms, lowMs: ms - below, highMs: ms + above },
    responseMs: sum(({ found }) => found.responseMs),
    slotShare: sum(({ slotShare, slotMs }) => slotShare * slotMs) / sum(({ slotMs }) => slotMs),
  };
}

/** For instance `These 12 jobs under late: 34.0 s less [21.0, 47.0] of 425 s (8 %), ...`. */
export function summedText(of: Summed, asked: number): string {
  const { policy, jobs, responseMs, ms, lowMs, highMs, slotShare } = of;
  const [low, high] = ms <= 0 ? [-highMs, -lowMs] : [lowMs, highMs];
  const range = `[${plain(low)}, ${plain(high)}]`;
  const change = `${span(Math.abs(ms))} ${ms <= 0 ? "less" : "more"} ${range}`;
  const slots = `${percent(Math.abs(slotShare))} ${slotShare < 0 ? "less" : "more"} slot time`;
  const response = `${span(responseMs)} (${percent(Math.abs(ms) / responseMs)})`;
  const which = jobs === asked ? `These ${jobs}` : `${jobs} of these ${asked}`;
  return `${which} jobs under ${policy}: ${change} of ${response}, ${slots}.`;
}
