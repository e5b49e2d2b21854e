import { instant } from "../../model/ids.ts";
import { type Amounts, NO_AMOUNTS, type Segment } from "../../model/progress.ts";

/** The way of an attempt whose time is fixed: what it scores, step by step. */
export interface Profile {
  /** At factor 1. */
  readonly totalMs: number;
  readonly steps: readonly ProfileStep[];
  /** Of that, the time before it reads or scores anything: the first step. */
  readonly startMs: number;
  /** Read evenly from there on. */
  readonly bytesRead: number;
  /** Whether a slow node takes longer. */
  readonly slowedByNode: boolean;
}

export interface ProfileStep {
  /** Index into the task's stages. */
  readonly stage: number;
  /** Share of the whole time that it takes. */
  readonly share: number;
  /** What it adds to the score. */
  readonly score: number;
}

/** The steps of a task that goes evenly from 0 to 1. */
export const EVEN_STEPS: readonly ProfileStep[] = [{ stage: 0, share: 1, score: 1 }];

/** Where on its way an attempt is, and how fast it goes. */
export interface Pace {
  readonly from: number;
  readonly doneMs: number;
  readonly speed: number;
}

/** The rest of the way. */
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
  const { bytesRead, startMs: silentMs, totalMs } = profile;
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
      records: 0,
    },
  };
}

interface StepStart {
  readonly step: ProfileStep;
  readonly startMs: number;
  readonly scoreBefore: number;
}

function amounts({ bytesRead, startMs, totalMs }: Profile, score: number, doneMs: number): Amounts {
  if (score === 0 && doneMs <= startMs && startMs < totalMs) return NO_AMOUNTS;
  const share = totalMs === startMs ? 1 : (doneMs - startMs) / (totalMs - startMs);
  return { score, bytesRead: bytesRead * share, bytesWritten: 0, records: 0 };
}
