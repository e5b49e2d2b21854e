import type { AttemptKind } from "../../src/model/attempt.ts";
import { instant } from "../../src/model/ids.ts";
import type { Task } from "../../src/model/job.ts";
import type { Amounts, ProgressCurve, Segment } from "../../src/model/progress.ts";

/** An attempt's run: pieces of constant speed, and its end after the last piece. */
export interface Run {
  readonly pieces: readonly Piece[];
  /** The score at the start; a reduce with nothing to copy begins at 2/3. */
  readonly fromScore?: number;
  readonly end: "succeeded" | "failed" | "never";
  /** Time between its reports; always fresh if left out. */
  readonly reportEveryMs?: number;
}

export interface Piece {
  readonly forMs: number;
  readonly toScore: number;
}

/** At one speed from 0 to 1. */
export const steadily = (takesMs: number): Run => ({
  pieces: [{ forMs: takesMs, toScore: 1 }],
  end: "succeeded",
});

/** Attempts take the given seconds, except originals of the numbered tasks. */
export const slowOriginals =
  (usualS: number, takesS: Readonly<Record<number, number>>) =>
  ({ task, as }: { readonly task: Task; readonly as: AttemptKind }): Run =>
    steadily((as === "original" ? (takesS[task.index] ?? usualS) : usualS) * 1_000);

/** One piece per stage of the task: how long each takes. */
export function byStage(task: Task, takesMs: readonly number[]): Run {
  let toScore = 0;
  const pieces = task.stages.map((stage, index) => {
    toScore = index === task.stages.length - 1 ? 1 : toScore + stage.share;
    return { forMs: takesMs[index] ?? 0, toScore };
  });
  return { pieces, end: "succeeded" };
}

/** At one speed up to the score, then stuck for ever. */
export const stuckAt = (score: number, afterMs: number): Run => ({
  pieces: [{ forMs: afterMs, toScore: score }],
  end: "never",
});

export const failsAfter = (ms: number): Run => ({
  pieces: [{ forMs: ms, toScore: 0.5 }],
  end: "failed",
});

export const durationOf = (run: Run): number =>
  run.pieces.reduce((sum, piece) => sum + piece.forMs, 0);

/** The curve of a run that starts now; its pieces are cut where the task's stages meet. */
export function curveOf(run: Run, task: Task, startedAt: number): ProgressCurve {
  const bytes = task.inputBytes ?? 0;
  const amounts = (score: number): Amounts => ({
    score,
    bytesRead: score * bytes,
    bytesWritten: score * bytes,
    records: 0,
  });
  const segments: Segment[] = [];
  let from = startedAt;
  let score = run.fromScore ?? 0;
  for (const piece of run.pieces) {
    const speed = (piece.toScore - score) / piece.forMs;
    const until = from + piece.forMs;
    const cuts = stageEnds(task).filter((end) => end > score + 1e-9 && end < piece.toScore - 1e-9);
    for (const toScore of piece.forMs === 0 ? [] : [...cuts, piece.toScore]) {
      const stage = stageAt(task, score);
      segments.push({ from: instant(from), stage, at: amounts(score), perMs: amounts(speed) });
      from = toScore === piece.toScore ? until : from + (toScore - score) / speed;
      score = toScore;
    }
    score = piece.toScore;
  }
  if (run.end !== "succeeded" || segments.length === 0) {
    const stage = stageAt(task, score);
    segments.push({ from: instant(from), stage, at: amounts(score), perMs: amounts(0) });
  }
  const reportEvery = run.reportEveryMs ?? 0;
  return { kind: "curve", startedAt: instant(startedAt), segments, reportEvery };
}

function stageEnds(task: Task): number[] {
  let sum = 0;
  return task.stages.map((stage) => {
    sum += stage.share;
    return sum;
  });
}

function stageAt(task: Task, score: number): number {
  const ends = stageEnds(task);
  const found = ends.findIndex((end) => score < end - 1e-9);
  return found < 0 ? ends.length - 1 : found;
}
