import type { Instant } from "../../model/ids.ts";
import type { ProgressLine } from "../../model/progress.ts";
import { FixedRun } from "./fixed-run.ts";
import { EVEN_STEPS, type Profile } from "./profile.ts";

/** Fixed work that proceeds at one rate from its beginning to its end, and then succeeds. */
export interface EvenWork {
  readonly startedAt: Instant;
  /** Milliseconds at factor 1. */
  readonly totalMs: number;
  readonly bytesRead: number;
  readonly slowedByNode: boolean;
  /** Work done per millisecond, more than 0. */
  readonly speed: number;
}

/** The work of the profile, if it is even. */
export function evenWork(
  profile: Profile,
  { startedAt, speed }: Pick<EvenWork, "startedAt" | "speed">,
): EvenWork | undefined {
  const { bytesRead, records = 0, slowedByNode, startMs, totalMs } = profile;
  if (profile.failsAfterMs !== undefined || profile.evictedAfterMs !== undefined) return undefined;
  if (records !== 0 || startMs !== 0) return undefined;
  if (totalMs === 0 || speed === 0 || !hasOneStep(profile)) return undefined;
  return { startedAt, totalMs, bytesRead, slowedByNode, speed };
}

function hasOneStep({ steps }: Profile): boolean {
  const [only] = steps;
  return steps.length === 1 && only?.stage === 0 && only.share === 1 && only.score === 1;
}

export const endOf = ({ speed, startedAt, totalMs }: EvenWork): number =>
  startedAt + totalMs / speed;

export function lineOf(work: EvenWork, reportEvery: number): ProgressLine {
  const { bytesRead, speed, startedAt, totalMs } = work;
  return {
    kind: "line",
    startedAt,
    scorePerMs: (1 / totalMs) * speed,
    bytesReadPerMs: (bytesRead / totalMs) * speed,
    reportEvery,
  };
}

/** The same work as a run whose speed may change. */
export function runOf({ bytesRead, slowedByNode, speed, startedAt, totalMs }: EvenWork): FixedRun {
  const profile = { totalMs, steps: EVEN_STEPS, startMs: 0, bytesRead, slowedByNode };
  return new FixedRun(profile, { failsAt: undefined, at: startedAt, speed });
}
