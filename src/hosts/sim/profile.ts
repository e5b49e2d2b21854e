import { instant } from "../../model/ids.ts";
import { type Amounts, NO_AMOUNTS, type ProgressLine, type Segment } from "../../model/progress.ts";

/** The course of an attempt with a fixed time: its score, step by step. */
export interface Profile {
  /** Milliseconds at factor 1. */
  readonly totalMs: number;
  readonly steps: readonly ProfileStep[];
  /** The part of `totalMs` before the attempt reads or scores anything: the first step. */
  readonly startMs: number;
  /** Read at a constant rate after the start. */
  readonly bytesRead: number;
  /** Read as the bytes are; 0 if left out. */
  readonly records?: number;
  /** Whether a slow node takes longer. */
  readonly slowedByNode: boolean;
  /** The attempt fails when it has worked for this long at factor 1, which may be past its work. */
  readonly failsAfterMs?: number;
  /** The host ends the attempt when it has worked for this long at factor 1, without a failure. */
  readonly evictedAfterMs?: number;
  /**
   * Whether the work begins only when all tasks of the phases that this one reads are done: until
   * then the attempt holds its slot and shows no progress. False if left out.
   */
  readonly heldByReads?: boolean;
}

export interface ProfileStep {
  /** Index into the task's stages. */
  readonly stage: number;
  /** The step's share of the whole time. */
  readonly share: number;
  /** What the step adds to the score. */
  readonly score: number;
}

/** The single step of a task whose score rises evenly from 0 to 1. */
export const EVEN_STEPS: readonly ProfileStep[] = [{ stage: 0, share: 1, score: 1 }];

/** An attempt's progress and its speed. */
export interface Pace {
  readonly from: number;
  readonly doneMs: number;
  readonly speed: number;
}

/** The rates of the whole work, if they never change; undefined otherwise. */
export function rateOf(
  { bytesRead, records = 0, startMs, steps, totalMs }: Profile,
  speed: number,
): Pick<ProgressLine, "scorePerMs" | "bytesReadPerMs"> | undefined {
  const [only] = steps;
  const isEven = steps.length === 1 && only?.stage === 0 && startMs === 0 && records === 0;
  if (!isEven || totalMs === 0) return undefined;
  const scorePerMs = (only.score / (only.share * totalMs)) * speed;
  return { scorePerMs, bytesReadPerMs: (bytesRead / totalMs) * speed };
}

/** The segments that remain. */
export function segmentsOf(profile: Profile, way: Pace): readonly Segment[] {
  const [only] = profile.steps;
  if (profile.steps.length === 1 && only !== undefined && way.doneMs < profile.totalMs) {
    return [segment(profile, way, { step: only, startMs: 0, scoreBefore: 0 })];
  }
  const segments: Segment[] = [];
  let { from, doneMs } = way;
  let startMs = 0;
  let scoreBefore = 0;
  for (const step of profile.steps) {
    const endMs = startMs + step.share * profile.totalMs;
    // A step of no time is a jump of the score.
    if (endMs > startMs && endMs > doneMs) {
      const now = { from, doneMs, speed: way.speed };
      segments.push(segment(profile, now, { step, startMs, scoreBefore }));
      if (way.speed === 0) return segments;
      from += (endMs - Math.max(doneMs, startMs)) / way.speed;
      doneMs = endMs;
    }
    startMs = endMs;
    scoreBefore += step.score;
  }
  if (segments.length > 0) return segments;
  const stage = profile.steps.at(-1)?.stage ?? 0;
  const at = amounts(profile, 1, profile.totalMs);
  return [{ from: instant(from), stage, at, perMs: NO_AMOUNTS }];
}

function segment(
  profile: Profile,
  { from, doneMs, speed }: Pace,
  { step, startMs, scoreBefore }: StepStart,
): Segment {
  const { bytesRead, records = 0, startMs: silentMs, totalMs } = profile;
  const scorePerMs = step.score / (step.share * totalMs);
  const begunMs = Math.max(doneMs, startMs);
  const score = scoreBefore + scorePerMs * (begunMs - startMs);
  return {
    from: instant(from),
    stage: step.stage,
    at: amounts(profile, score, begunMs),
    perMs: {
      score: scorePerMs * speed,
      bytesRead: begunMs < silentMs ? 0 : (bytesRead / (totalMs - silentMs)) * speed,
      bytesWritten: 0,
      records: begunMs < silentMs ? 0 : (records / (totalMs - silentMs)) * speed,
    },
  };
}

interface StepStart {
  readonly step: ProfileStep;
  readonly startMs: number;
  readonly scoreBefore: number;
}

function amounts(profile: Profile, score: number, doneMs: number): Amounts {
  const { bytesRead, records = 0, startMs, totalMs } = profile;
  if (score === 0 && doneMs <= startMs && startMs < totalMs) return NO_AMOUNTS;
  const share = totalMs === startMs ? 1 : (doneMs - startMs) / (totalMs - startMs);
  return { score, bytesRead: bytesRead * share, bytesWritten: 0, records: records * share };
}
