import { isClearlyAbove } from "../../../base/clearly-below.ts";
import type { Attempt } from "../../../model/attempt.ts";
import { after, type Instant, instant } from "../../../model/ids.ts";
import type { Report } from "../../../model/progress.ts";
import type { View } from "../../../model/view.ts";
import { type Reporting, reportPeriodMs } from "../../shared/report-period.ts";
import { beginningOf, readingOf, type StartUp, type StartUpReading } from "./start-up.ts";

export interface Judging {
  readonly params: Window;
  /** The time that earlier tasks of the phase needed after reading all their input. */
  readonly wrapUpMs: number | undefined;
  /** The time that the attempts of the phase need before they read. */
  readonly startUp: StartUp | undefined;
  /** The mean time of a new copy. */
  expectedMs(): number | undefined;
}

/** How often attempts report, and how many reports the average covers. */
export interface Window extends Reporting {
  readonly windowPeriods: number;
}

export interface Observed {
  readonly attempt: Attempt;
  /** The attempt's last. */
  readonly report: Report;
  /** The result of `bytesOf` for the two. */
  readonly bytes: number;
}

/** Eq. 2, t_rem: Infinity where no end is in sight. */
export function timeLeft(
  view: View,
  { attempt, bytes, report }: Observed,
  judging: Judging,
): number {
  const { startedAt, id } = attempt;
  if (startedAt === undefined) return Number.POSITIVE_INFINITY;
  const { params, wrapUpMs } = judging;
  const silenceMs = params.periodMs;
  const { now } = view;
  if (bytes > 0 && isRead(report, bytes)) {
    const read = readEnd(view, attempt, bytes) ?? report;
    return wrapUpLeft({ read, report, now, wrapUpMs, silenceMs });
  }
  const last = readingOf(report, bytes);
  if (last.share === 0) return unreadLeft({ now, startedAt }, judging);
  // The paper's tasks read as soon as they start: t_elapsed is the time since the start.
  let start: StartUpReading = { at: startedAt, share: 0 };
  if (startsUp(judging.startUp)) {
    const { first, second } = beginningOf(view, attempt, bytes);
    if (first !== undefined && second !== undefined) start = first;
    // One reading gives no speed.
    else if (now <= last.at + silenceMs) return expectedLeft(now - startedAt, judging);
  }
  const from = windowStart(params, startedAt, now);
  const first = readingOf(view.progressAt(id, from), bytes);
  const leftMs = readingLeft({ start, first, last, now, silenceMs });
  return leftMs + (bytes > 0 ? (wrapUpMs ?? 0) : 0);
}

/** A start-up up to this many times the usual is no sign of trouble. */
const START_UPS = 2;

/**
 * Whether there is enough to compare: two readings, and more time than start-ups take. Where tasks
 * read as soon as they start, the paper's Δ is the only wait.
 */
export function mayJudge(
  view: View,
  attempt: Attempt,
  of: { readonly startUp: StartUp | undefined; readonly silenceMs: number },
): boolean {
  const { startUp, silenceMs } = of;
  if (startUp !== undefined && !startsUp(startUp)) return true;
  const { now } = view;
  const { id, startedAt = now } = attempt;
  if (!isClearlyAbove(now - startedAt, START_UPS * (startUp?.longMs ?? 0))) return false;
  const report = view.progress(id);
  const bytes = bytesOf(view, attempt, report);
  const isKnown = startUp !== undefined;
  if (readingOf(report, bytes).share === 0) return isKnown;
  if (beginningOf(view, attempt, bytes).second !== undefined) return true;
  return isKnown && now > report.at + silenceMs;
}

const startsUp = (startUp: StartUp | undefined): boolean =>
  startUp !== undefined && startUp.longMs > 0;

/** 0 for a task without bytes, and while its host has reported none. */
export const bytesOf = (view: View, { task }: Attempt, { bytesRead }: Report): number =>
  bytesRead > 0 ? view.inputBytes(task) : 0;

/**
 * The time left before the first byte. The attempt is expected to take the mean time until one
 * period has passed or, where attempts start up, until the longest usual start-up has. After that
 * the attempt counts as starting up for ever or, where others took long too, for as long again.
 */
function unreadLeft(
  { now, startedAt }: { readonly now: Instant; readonly startedAt: Instant },
  judging: Judging,
): number {
  const { expectedMs, params, startUp } = judging;
  const elapsedMs = now - startedAt;
  if (!startsUp(startUp)) {
    if (now > after(startedAt, params.periodMs)) return Number.POSITIVE_INFINITY;
    return expectedLeft(elapsedMs, judging);
  }
  const isLong = isClearlyAbove(elapsedMs, START_UPS * (startUp?.longMs ?? 0));
  if (!isLong) return expectedLeft(elapsedMs, judging);
  return elapsedMs + (expectedMs() ?? Number.POSITIVE_INFINITY);
}

const expectedLeft = (elapsedMs: number, { expectedMs }: Judging): number =>
  Math.max(0, (expectedMs() ?? Number.POSITIVE_INFINITY) - elapsedMs);

/**
 * The time that the attempt needs for the rest of its input: eq. 2's t_elapsed * (d - d_read) /
 * d_read, with time and bytes counted from the first reading of the moving average. After `silence`
 * without a report the attempt counts as having made no progress since the last one.
 */
export function readingLeft(of: {
  readonly start: StartUpReading;
  /** The beginning of the moving average. */
  readonly first: StartUpReading;
  readonly last: StartUpReading;
  readonly now: number;
  readonly silenceMs: number;
}): number {
  const { last, now } = of;
  // How much an attempt had read before its first report is unknown: only the start is certain.
  const isReport = of.first.share > 0 && of.first.at < last.at;
  const first = isReport ? of.first : of.start;
  const grown = last.share - first.share;
  const left = 1 - last.share;
  if (left <= 0) return 0;
  if (now > last.at + of.silenceMs) {
    return grown > 0 ? ((now - first.at) * left) / grown : Number.POSITIVE_INFINITY;
  }
  if (grown <= 0) return Number.POSITIVE_INFINITY;
  return Math.max(0, ((last.at - first.at) * left) / grown - (now - last.at));
}

/**
 * The time left after all input is read: the time that earlier tasks of the phase needed from
 * there, less the time passed. An attempt that needs longer is judged by its score since then, if
 * the score grows. If the score is full, or no report can be expected yet, the attempt may take as
 * long again.
 */
export function wrapUpLeft(of: {
  readonly read: { readonly at: number; readonly score: number };
  readonly report: { readonly score: number };
  readonly now: number;
  /** undefined while no task has ended. */
  readonly wrapUpMs: number | undefined;
  readonly silenceMs: number;
}): number {
  const { read, report, silenceMs, wrapUpMs = 0 } = of;
  const passedMs = of.now - read.at;
  if (!isClearlyAbove(passedMs, wrapUpMs)) return Math.max(0, wrapUpMs - passedMs);
  if (report.score >= 1) return passedMs;
  const grown = report.score - read.score;
  if (grown > 0) return (passedMs * (1 - report.score)) / grown;
  const isSilent = of.wrapUpMs !== undefined && isClearlyAbove(passedMs, wrapUpMs + silenceMs);
  return isSilent ? Number.POSITIVE_INFINITY : passedMs;
}

/** The first report that says all input is read; undefined if there is none. COST: O(reports). */
export function readEnd(view: View, attempt: Attempt, bytes: number): Report | undefined {
  if (bytes === 0 || attempt.startedAt === undefined) return undefined;
  for (const report of view.reports(attempt.id, attempt.startedAt)) {
    if (isRead(report, bytes)) return report;
  }
  return undefined;
}

/**
 * §5.5: a moving average, not a single report. The window covers a number of reports; a report
 * comes every period, or ten times in the life of a task that lives for the time until now.
 */
function windowStart(of: Window, startedAt: Instant, now: Instant): Instant {
  const periodMs = reportPeriodMs(of, now - startedAt);
  return instant(Math.max(startedAt, now - of.windowPeriods * periodMs));
}

// A sum of reads may differ from the whole by its last bit.
const isRead = ({ bytesRead }: Report, bytes: number): boolean => bytesRead >= bytes * (1 - 1e-9);
