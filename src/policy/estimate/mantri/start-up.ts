import { isClearlyBelow } from "../../../base/clearly-below.ts";
import { percentile } from "../../../base/stats.ts";
import type { Attempt } from "../../../model/attempt.ts";
import { type Instant, instant } from "../../../model/ids.ts";
import type { Report } from "../../../model/progress.ts";
import type { View } from "../../../model/view.ts";

/** How much of its input an attempt had read at a time. */
export interface StartUpReading {
  readonly at: number;
  /** 0 to 1. */
  readonly share: number;
}

/** By bytes; by score if the task has none, or its host does not report bytes. */
export const readingOf = ({ at, bytesRead, score }: Report, bytes: number): StartUpReading => ({
  at,
  share: bytes > 0 ? Math.min(1, bytesRead / bytes) : score,
});

/** The beginning of an attempt's reading. */
export interface Beginning {
  /** The last time at which the attempt was known to have read nothing. */
  readonly nothingAt: number;
  /** The attempt's first two readings above 0, as far as it has any. */
  readonly first?: StartUpReading;
  readonly second?: StartUpReading;
}

/** COST: O(reports before the first byte). */
export function beginningOf(view: View, attempt: Attempt, bytes: number): Beginning {
  const { id, startedAt } = attempt;
  let nothingAt = startedAt ?? view.now;
  let first: StartUpReading | undefined;
  for (const report of startedAt === undefined ? [] : view.reports(id, startedAt)) {
    const reading = readingOf(report, bytes);
    if (reading.share === 0) nothingAt = reportedAt(reading, nothingAt);
    else if (first === undefined) first = reading;
    else if (reading.at > first.at) return { nothingAt, first, second: reading };
  }
  if (first === undefined) return { nothingAt };
  // A host whose progress is always fresh can give a reading between the two.
  const between = instant((nothingAt + first.at) / 2);
  const earlier = readingOf(view.progressAt(id, between), bytes);
  if (earlier.share === 0 || earlier.at >= first.at) return { nothingAt, first };
  return { nothingAt, first: earlier, second: first };
}

const reportedAt = ({ at }: StartUpReading, before: number): Instant =>
  instant(Math.max(at, before));

/** A result below a millisecond is rounding. */
const NOTHING_MS = 1;

/**
 * Milliseconds from the attempt's start to its first byte: where the line through the first two
 * readings meets 0, within the known bounds. undefined with fewer than two readings.
 */
export function startUpOf(begun: Beginning, startedAt: Instant): number | undefined {
  const { first, nothingAt, second } = begun;
  if (first === undefined || second === undefined) return undefined;
  const grown = second.share - first.share;
  const at = grown > 0 ? first.at - (first.share * (second.at - first.at)) / grown : nothingAt;
  const startUpMs = Math.min(Math.max(at, nothingAt), first.at) - startedAt;
  return isClearlyBelow(startUpMs, NOTHING_MS) ? 0 : startUpMs;
}

/** The time that the attempts of a phase need before they read. Plain data. */
export interface StartUps {
  /** The times of succeeded attempts. */
  readonly seen: number[];
  /** Their sum. */
  sumMs: number;
  /** As of the last look at running attempts; undefined while no attempt has shown it. */
  usual: StartUp | undefined;
}

export interface StartUp {
  readonly meanMs: number;
  /** The 90th percentile. */
  readonly longMs: number;
}

export const noStartUps = (): StartUps => ({ seen: [], sumMs: 0, usual: undefined });

/** Remembers the first `most` successes of the phase. */
export function recordStartUp(startUps: StartUps, startUpMs: number, most: number): void {
  const { seen } = startUps;
  if (seen.length < most) {
    seen.push(startUpMs);
    startUps.sumMs += startUpMs;
  }
  startUps.usual ??= usualOf(startUps, []);
}

/** `running`: the start-ups of running attempts that have begun to read. */
export function lookAtStartUps(startUps: StartUps, running: readonly number[]): void {
  if (startUps.seen.length + running.length > 0) startUps.usual = usualOf(startUps, running);
}

function usualOf({ seen, sumMs }: StartUps, running: readonly number[]): StartUp {
  let totalMs = sumMs;
  for (const startUpMs of running) totalMs += startUpMs;
  // Usually tasks read as soon as they start.
  if (totalMs === 0) return { meanMs: 0, longMs: 0 };
  const shown = new Float64Array([...seen, ...running]);
  return { meanMs: totalMs / shown.length, longMs: percentile(shown.sort(), 90) };
}
