import { defined } from "../../base/assert.ts";
import type { Attempt } from "../../model/attempt.ts";
import { type Instant, instant } from "../../model/ids.ts";
import type { Task } from "../../model/job.ts";
import {
  type Amounts,
  curveOf,
  type ForeseenProgress,
  NO_AMOUNTS,
  type ProgressCurve,
  type ProgressLine,
  type ProgressSource,
  type Report,
  type ReportedProgress,
  type Segment,
} from "../../model/progress.ts";
import type { StageEntry } from "../../model/view.ts";

/** The fields of an attempt that determine its progress. */
export interface Observed extends Pick<Attempt, "launchedAt" | "startedAt" | "endedAt" | "state"> {
  readonly holdsSlot: boolean;
  readonly host: { readonly silentSince: Instant | undefined };
  readonly record: { readonly task: Pick<Task, "stages"> };
  readonly progress: ProgressSource | undefined;
  readonly reports: readonly ReportedProgress[] | undefined;
  readonly stages: readonly StageEntry[] | undefined;
}

/**
 * The last moment at which an attempt's progress can be known: its end, or the moment its node fell
 * silent. Without this bound the attempts of a dead node would seem to make progress.
 */
export function knownUntil(attempt: Observed, at: Instant): Instant {
  const silent = attempt.host.silentSince;
  let until: number = at;
  if (attempt.endedAt !== undefined && attempt.endedAt < until) until = attempt.endedAt;
  if (silent !== undefined && attempt.holdsSlot && silent < until) until = silent;
  return instant(until);
}

/** The last report at or before an instant. */
export function reportAt(attempt: Observed, at: Instant): Report {
  const source = attempt.progress;
  const until = knownUntil(attempt, at);
  if (source === undefined) {
    return { at: until, changedAt: attempt.launchedAt, stage: 0, ...NO_AMOUNTS };
  }
  if (attempt.state === "succeeded" && attempt.endedAt !== undefined && until >= attempt.endedAt) {
    return finished(attempt, attempt.endedAt);
  }
  if (source.kind !== "reported") return foreseenAt(source, until);
  if (source.at <= until) return source;
  const kept = attempt.reports ?? [];
  for (let i = kept.length - 1; i >= 0; i--) if (kept[i]!.at <= until) return kept[i]!;
  return { at: until, changedAt: attempt.launchedAt, stage: 0, ...NO_AMOUNTS };
}

/** The score of the last report at or before an instant, without making a report. */
export function scoreAt(attempt: Observed, at: Instant): number {
  if (attempt.state === "succeeded") return 1;
  const source = attempt.progress;
  if (source === undefined) return 0;
  if (source.kind === "reported") return reportAt(attempt, at).score;
  const until = knownUntil(attempt, at);
  if (source.kind === "line") return lineScore(source, until);
  const reported = lastReport(source, until);
  const segment = segmentAt(source, reported);
  return scoreAfter(segment.at.score, segment.perMs.score, reported - segment.from);
}

/** The score of the last report on a line. */
export function lineScore(
  line: Pick<ProgressLine, "startedAt" | "scorePerMs" | "reportEvery">,
  until: Instant,
): number {
  return scoreAfter(0, line.scorePerMs, lastReport(line, until) - line.startedAt);
}

/** A score that grows evenly from an instant until another one. */
export interface EvenGrowth {
  readonly score: number;
  readonly perMs: number;
  readonly until: number;
}

const FOR_GOOD = Number.POSITIVE_INFINITY;
const ROUNDING_MS = 1e-6;

/**
 * The score of an attempt that holds its slot, as `scoreAt` gives it, and its growth unless the
 * attempt or its node changes.
 */
export function growthAt(attempt: Observed, at: Instant): EvenGrowth {
  const score = scoreAt(attempt, at);
  const source = attempt.progress;
  const stands = { score, perMs: 0, until: FOR_GOOD };
  if (source === undefined || source.kind === "reported") return stands;
  const silent = attempt.host.silentSince;
  if (silent !== undefined) return silent <= at ? stands : { ...stands, until: at };
  if (source.reportEvery > 0) {
    // Rounding may bring the next report forward.
    const next = lastReport(source, at) + source.reportEvery - ROUNDING_MS;
    return { ...stands, until: at > source.startedAt ? next : at };
  }
  if (source.kind === "line") return growthOn(stands, at, source.startedAt, source.scorePerMs);
  const place = segmentPlace(source, at);
  const segment = defined(source.segments[place], "a curve's segment");
  const until = source.segments[place + 1]?.from ?? FOR_GOOD;
  return growthOn({ ...stands, until }, at, segment.from, segment.perMs.score);
}

function growthOn(stands: EvenGrowth, at: Instant, from: Instant, perMs: number): EvenGrowth {
  const { score, until } = stands;
  if (at < from) return { ...stands, until: from };
  if (score >= 1 || perMs === 0) return stands;
  return { score, perMs, until: perMs > 0 ? Math.min(until, at + (1 - score) / perMs) : until };
}

/**
 * Score per millisecond since the start; time passes even without reports. The rate is 0 until some
 * time has passed.
 */
export function rateAt(attempt: Observed, at: Instant): number {
  if (attempt.startedAt === undefined) return 0;
  const until = attempt.endedAt !== undefined && attempt.endedAt < at ? attempt.endedAt : at;
  const elapsedMs = until - attempt.startedAt;
  if (elapsedMs > 0) return scoreAt(attempt, at) / elapsedMs;
  // An attempt that began and succeeded in the same millisecond, or was first heard of then, was
  // fast. A running attempt has no rate yet, even if its curve already describes its future.
  return attempt.state === "succeeded" ? 1 : 0;
}

export function reportsOf(attempt: Observed, since: Instant, now: Instant): Iterable<Report> {
  const source = attempt.progress;
  if (source === undefined) return [];
  if (source.kind === "reported") return keptSince(attempt.reports ?? [], since);
  const until = knownUntil(attempt, now);
  if (source.reportEvery > 0) return new PeriodicReports(source, since, until);
  return foreseenWithin(source, since, until);
}

function* keptSince(kept: readonly ReportedProgress[], since: Instant): Generator<Report> {
  for (const report of kept) if (report.at >= since) yield report;
}

/**
 * Forgets old reports, but not how the attempt began, which Mantri's start-ups are read from: the
 * last report without progress, and the first two with some. The newest stays, however old.
 */
export function forgetOldReports(
  reports: ReportedProgress[],
  isOld: (at: Instant) => boolean,
): void {
  let nothings = 0;
  while (nothings < reports.length && reports[nothings]!.score === 0) nothings++;
  const isDroppable = (at: number): boolean => at < reports.length - 1 && isOld(reports[at]!.at);
  for (; nothings > 1 && isDroppable(0); nothings--) reports.shift();
  while (nothings <= 1 && isDroppable(nothings + 2)) reports.splice(nothings + 2, 1);
}

/** At each change of speed, and now. */
function* foreseenWithin(source: ForeseenProgress, since: Instant, until: Instant) {
  for (const { from } of curveOf(source).segments) {
    if (from >= since && from < until) yield foreseenAt(source, from);
  }
  if (until >= since) yield foreseenAt(source, until);
}

/** The reports that a host would have sent. COST: a generator would cost more than its reports. */
class PeriodicReports implements IterableIterator<Report> {
  readonly #source: ForeseenProgress;
  readonly #until: Instant;
  #next: number;

  constructor(source: ForeseenProgress, since: Instant, until: Instant) {
    this.#source = source;
    this.#until = until;
    this.#next = Math.max(0, Math.ceil((since - source.startedAt) / source.reportEvery));
  }

  [Symbol.iterator](): this {
    return this;
  }

  next(): IteratorResult<Report, undefined> {
    const { startedAt, reportEvery } = this.#source;
    const at = startedAt + this.#next * reportEvery;
    if (at > this.#until) return { done: true, value: undefined };
    this.#next++;
    return { done: false, value: foreseenAt(this.#source, instant(at)) };
  }
}

export function stagesOf(attempt: Observed, now: Instant): readonly StageEntry[] {
  const source = attempt.progress;
  if (source === undefined) return [];
  if (source.kind === "reported") return attempt.stages ?? [];
  const until = knownUntil(attempt, now);
  const entries: StageEntry[] = [];
  for (const { from, stage, at } of curveOf(source).segments) {
    if (from > until) break;
    if (entries[entries.length - 1]?.stage === stage) continue;
    entries.push({ stage, at: from, score: at.score });
  }
  return entries;
}

/**
 * The rate, if it is constant from progress 0 and never quantised: then rate and estimated end do
 * not change with time.
 */
export function steadyRate(attempt: Observed): number | undefined {
  const source = attempt.progress;
  if (source === undefined || source.kind === "reported" || source.reportEvery > 0) {
    return undefined;
  }
  const rate = onlyRate(source, attempt.startedAt);
  return attempt.host.silentSince === undefined ? rate : undefined;
}

function onlyRate(source: ForeseenProgress, startedAt: Instant | undefined): number | undefined {
  if (source.kind === "line") return source.startedAt === startedAt ? source.scorePerMs : undefined;
  const [only] = source.segments;
  const isOnly = source.segments.length === 1 && only?.from === startedAt && only?.at.score === 0;
  return isOnly ? only?.perMs.score : undefined;
}

function finished(attempt: Observed, at: Instant): Report {
  const stage = attempt.record.task.stages.length - 1;
  const { bytesRead, bytesWritten, records } = amountsAtEnd(attempt.progress, at);
  return { at, changedAt: at, stage, score: 1, bytesRead, bytesWritten, records };
}

/** An attempt that succeeds tells its last amounts, however long ago its last report was. */
function amountsAtEnd(source: ProgressSource | undefined, at: Instant): Amounts {
  if (source === undefined) return NO_AMOUNTS;
  return source.kind === "reported" ? source : foreseenAt({ ...source, reportEvery: 0 }, at);
}

const foreseenAt = (source: ForeseenProgress, at: Instant): Report =>
  source.kind === "line" ? lineAt(source, at) : curveAt(source, at);

function lineAt(line: ProgressLine, at: Instant): Report {
  const { startedAt, scorePerMs, bytesReadPerMs } = line;
  const reported = lastReport(line, at);
  const ms = reported - startedAt;
  return {
    at: reported,
    changedAt: scorePerMs > 0 && ms > 0 ? reported : startedAt,
    stage: 0,
    score: scoreAfter(0, scorePerMs, ms),
    bytesRead: amountAfter(0, bytesReadPerMs, Math.min(ms, msUntilDone(0, scorePerMs))),
    bytesWritten: 0,
    records: 0,
  };
}

function curveAt(curve: ProgressCurve, at: Instant): Report {
  const reported = lastReport(curve, at);
  const segment = segmentAt(curve, reported);
  const { at: from, perMs } = segment;
  const ms = reported - segment.from;
  const readMs = Math.min(ms, msUntilDone(from.score, perMs.score));
  return {
    at: reported,
    changedAt: changedAt(curve, segment, reported),
    stage: segment.stage,
    score: scoreAfter(from.score, perMs.score, ms),
    bytesRead: amountAfter(from.bytesRead, perMs.bytesRead, readMs),
    bytesWritten: amountAfter(from.bytesWritten, perMs.bytesWritten, readMs),
    records: amountAfter(from.records, perMs.records, readMs),
  };
}

function lastReport(
  { reportEvery, startedAt }: Pick<ForeseenProgress, "reportEvery" | "startedAt">,
  at: Instant,
): Instant {
  if (reportEvery === 0 || at <= startedAt) return at;
  return instant(startedAt + Math.floor((at - startedAt) / reportEvery) * reportEvery);
}

const segmentAt = (curve: ProgressCurve, at: Instant): Segment =>
  defined(curve.segments[segmentPlace(curve, at)], "a curve's segment");

function segmentPlace({ segments }: ProgressCurve, at: Instant): number {
  let low = 0;
  let high = segments.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (segments[middle]!.from <= at) low = middle;
    else high = middle - 1;
  }
  return low;
}

const scoreAfter = (from: number, perMs: number, ms: number): number =>
  Math.min(1, amountAfter(from, perMs, ms));

const amountAfter = (from: number, perMs: number, ms: number): number =>
  ms > 0 ? from + perMs * ms : from;

/** An attempt with score 1 reads and writes no more, even if the host reports its end later. */
const msUntilDone = (score: number, scorePerMs: number): number =>
  scorePerMs > 0 ? (1 - score) / scorePerMs : Number.POSITIVE_INFINITY;

/** When the score last grew or jumped. */
function changedAt(curve: ProgressCurve, segment: Segment, at: Instant): Instant {
  if (segment.perMs.score > 0 && at > segment.from) return at;
  let end: Instant = at;
  for (let i = curve.segments.indexOf(segment); i >= 0; i--) {
    const { from, perMs } = curve.segments[i]!;
    if (perMs.score > 0 && end > from) return end;
    const before = curve.segments[i - 1];
    if (before === undefined) break;
    const score = scoreAfter(before.at.score, before.perMs.score, from - before.from);
    if (score !== curve.segments[i]!.at.score) return from;
    end = from;
  }
  return curve.startedAt;
}
