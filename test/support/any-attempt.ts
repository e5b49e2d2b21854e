import type { Observed } from "../../src/core/statistics/progress.ts";
import { type Instant, instant } from "../../src/model/ids.ts";
import {
  NO_AMOUNTS,
  type ProgressSource,
  type ReportedProgress,
} from "../../src/model/progress.ts";

export type Draw = (count: number) => number;

/** Park and Miller: a whole number from 0 up to, but not including, the count. */
export function draws(seed: number): Draw {
  let state = seed;
  return (count) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % count;
  };
}

function sourceOf(draw: Draw, startedAt: Instant): ProgressSource {
  const reportEvery = draw(2) * (300 + draw(1_000) / 7);
  const scorePerMs = 1 / (1_000 + draw(20_000));
  if (draw(3) === 0) return { kind: "line", startedAt, scorePerMs, bytesReadPerMs: 0, reportEvery };
  const turn = draw(4_000);
  const perMs = { ...NO_AMOUNTS, score: scorePerMs };
  const later = { ...NO_AMOUNTS, score: Math.min(1, turn * scorePerMs + draw(2) / 10) };
  const segments = [
    { from: startedAt, stage: 0, at: NO_AMOUNTS, perMs },
    { from: instant(startedAt + turn), stage: 1, at: later, perMs: { ...perMs, score: 1 / 9_000 } },
  ];
  return { kind: "curve", startedAt, segments, reportEvery };
}

const reported = (at: Instant, score: number): ReportedProgress => ({
  ...{ kind: "reported", at, changedAt: at, stage: 0, bytesRead: 0, bytesWritten: 0, records: 0 },
  score,
});

/** A running attempt, of any kind of progress, that begins now or soon. */
export function anyAttempt(draw: Draw, host: Observed["host"], now: Instant): Observed {
  const startedAt = instant(now + draw(2) * draw(300));
  const progress = draw(4) === 0 ? reported(now, draw(10) / 10) : sourceOf(draw, startedAt);
  const reports = progress.kind === "reported" ? [progress] : undefined;
  return {
    ...{ launchedAt: now, startedAt, endedAt: undefined, state: "running", holdsSlot: true },
    ...{ host, record: { task: { stages: [] } }, progress, reports, stages: undefined },
  };
}
