import type { Attempt } from "../../../model/attempt.ts";
import { type Instant, instant } from "../../../model/ids.ts";
import type { Report } from "../../../model/progress.ts";
import type { View } from "../../../model/view.ts";
import { type Reporting, reportPeriodMs } from "../../shared/report-period.ts";

export interface Judging {
  readonly params: Window;
  /** What the earlier tasks of the phase needed after all was read. */
  readonly wrapUpMs: number | undefined;
  /** What a new copy would take on average. */
  expectedMs(): number | undefined;
}

/** How often attempts report, and over how many reports is averaged. */
export interface Window extends Reporting {
  readonly windowPeriods: number;
}

/** How much of the input an attempt had read at a time. */
export interface Reading {
  readonly at: number;
  /** 0 to 1. */
  readonly share: number;
}

/** Eq. 2, t_rem: Infinity where no end is in sight. */
export function timeLeft(view: View, attempt: Attempt, judging: Judging): number {
  const { startedAt, id } = attempt;
  if (startedAt === undefined) return Number.POSITIVE_INFINITY;
  const report = view.progress(id);
  const bytes = view.inputBytes(attempt.task);
  const byBytes = bytes > 0 && report.bytesRead > 0;
  const elapsedMs = view.now - startedAt;
  if (byBytes && isRead(report, bytes)) {
    const read = readEnd(view, attempt, bytes) ?? report;
    return wrapUpLeft({ read, report, now: view.now, wrapUpMs: judging.wrapUpMs ?? 0 });
  }
  const last = readingOf(report, byBytes ? bytes : 0);
  if (last.share === 0) {
    // Nothing is known of it yet: for the time of a report it counts as what it was expected to be.
    if (elapsedMs > judging.params.periodMs) return Number.POSITIVE_INFINITY;
    return Math.max(0, (judging.expectedMs() ?? Number.POSITIVE_INFINITY) - elapsedMs);
  }
  const from = windowStart(judging.params, startedAt, view.now);
  const first = readingOf(view.progressAt(id, from), byBytes ? bytes : 0);
  const start = { at: startedAt, share: 0 };
  const leftMs = readingLeft({
    start,
    first,
    last,
    now: view.now,
    silenceMs: judging.params.periodMs,
  });
  return leftMs + (byBytes ? (judging.wrapUpMs ?? 0) : 0);
}

/**
 * The time that the attempt needs for the rest of its input: eq. 2's t_elapsed * (d - d_read) /
 * d_read, with time and bytes counted from the first reading of the moving average. After `silence`
 * without a report it has, for all we know, not progressed since the last one.
 */
export function readingLeft(of: {
  readonly start: Reading;
  /** Where the moving average begins. */
  readonly first: Reading;
  readonly last: Reading;
  readonly now: number;
  readonly silenceMs: number;
}): number {
  const { last, now } = of;
  const sinceMs = now - last.at;
  // Before its first report an attempt had read something, or nothing: only the start is sure.
  const isReport = of.first.share > 0 && of.first.at < last.at;
  const first = isReport ? of.first : of.start;
  const grown = last.share - first.share;
  const left = 1 - last.share;
  if (left <= 0) return 0;
  if (sinceMs > of.silenceMs) {
    return grown > 0 ? ((now - first.at) * left) / grown : Number.POSITIVE_INFINITY;
  }
  if (grown <= 0) return Number.POSITIVE_INFINITY;
  return Math.max(0, ((last.at - first.at) * left) / grown - sinceMs);
}

/**
 * After all is read: what the earlier tasks of the phase needed from there, less what has passed.
 * One that needs longer is judged by its score since then, if that grows; if the score is full, it
 * may well take as long again.
 */
export function wrapUpLeft(of: {
  readonly read: { readonly at: number; readonly score: number };
  readonly report: { readonly score: number };
  readonly now: number;
  readonly wrapUpMs: number;
}): number {
  const { read, report } = of;
  const passedMs = of.now - read.at;
  if (passedMs <= of.wrapUpMs) return of.wrapUpMs - passedMs;
  if (report.score >= 1) return passedMs;
  const grown = report.score - read.score;
  return grown > 0 ? (passedMs * (1 - report.score)) / grown : Number.POSITIVE_INFINITY;
}

/** The first report of all input being read; undefined if none was. COST: O(reports). */
export function readEnd(view: View, attempt: Attempt, bytes: number): Report | undefined {
  if (bytes === 0 || attempt.startedAt === undefined) return undefined;
  for (const report of view.reports(attempt.id, attempt.startedAt)) {
    if (isRead(report, bytes)) return report;
  }
  return undefined;
}

/**
 * §5.5: not one report but a moving average. The window is so many reports long, and a report comes
 * every period, or ten times in a life that has lasted so long.
 */
function windowStart(of: Window, startedAt: Instant, now: Instant): Instant {
  const periodMs = reportPeriodMs(of, now - startedAt);
  return instant(Math.max(startedAt, now - of.windowPeriods * periodMs));
}

/** By bytes; by score where a task has none, or its host does not tell. */
function readingOf({ at, bytesRead, score }: Report, bytes: number): Reading {
  return { at, share: bytes > 0 ? Math.min(1, bytesRead / bytes) : score };
}

// Sums of reads may miss the whole by a last bit.
const isRead = ({ bytesRead }: Report, bytes: number): boolean => bytesRead >= bytes * (1 - 1e-9);
