import { instant } from "../model/ids.ts";
import type { Task } from "../model/job.ts";
import { NO_AMOUNTS, type ProgressSource, type Segment } from "../model/progress.ts";
import type { Dice } from "./dice.ts";

/** The course of an attempt: pieces of constant speed, up to its planned end. */
export interface Course {
  readonly startedAt: number;
  readonly endsAt: number;
  readonly segments: readonly Segment[];
  /** Whether progress comes as reports, not as a curve. */
  readonly isReported: boolean;
}

export function drawCourse(
  dice: Dice,
  from: { readonly task: Task; readonly now: number; readonly takesMs: number },
  isReported: boolean,
): Course {
  const { task, now, takesMs } = from;
  const pieces = dice.pick([1, 2, 3]);
  const segments = Array.from({ length: pieces }, (_, index) => {
    const score = index === 0 ? 0 : (index - 0.5) / pieces;
    const next = index === pieces - 1 ? 1 : (index + 0.5) / pieces;
    const perMs = (next - score) / (takesMs / pieces);
    return segment({ task, from: now + (index / pieces) * takesMs, score, perMs });
  });
  return { startedAt: now, endsAt: now + takesMs, segments, isReported };
}

/** From now on everything left takes `factor` times as long. */
export function slowed(course: Course, task: Task, now: number, factor: number): Course {
  const leftMs = (course.endsAt - now) * factor;
  const { score } = scoreAt(course, now);
  const kept = course.segments.filter(({ from }) => from < now);
  const last = segment({ task, from: now, score, perMs: (1 - score) / leftMs });
  return { ...course, endsAt: now + leftMs, segments: [...kept, last] };
}

/** The host's report about the attempt now; a line or a curve describes the whole course. */
export function progressOf(course: Course, now: number, reportEvery: number): ProgressSource {
  const { segments, isReported } = course;
  const startedAt = instant(course.startedAt);
  const only = segments.length === 1 ? segments[0] : undefined;
  if (!isReported && only !== undefined && only.stage === 0 && only.at.score === 0) {
    const { score: scorePerMs, bytesRead: bytesReadPerMs } = only.perMs;
    return { kind: "line", startedAt, scorePerMs, bytesReadPerMs, reportEvery };
  }
  if (!isReported) return { kind: "curve", startedAt, segments, reportEvery };
  const { score, stage } = scoreAt(course, now);
  const at = instant(now);
  return { kind: "reported", at, changedAt: at, stage, ...NO_AMOUNTS, score };
}

function scoreAt(
  { segments }: Course,
  now: number,
): { readonly score: number; readonly stage: number } {
  const current = segments.findLast(({ from }) => from <= now) ?? segments[0];
  if (current === undefined) return { score: 0, stage: 0 };
  const score = current.at.score + (now - current.from) * current.perMs.score;
  return { score: Math.min(1, Math.max(0, score)), stage: current.stage };
}

function segment(of: { task: Task; from: number; score: number; perMs: number }): Segment {
  const { stages } = of.task;
  return {
    from: instant(of.from),
    stage: Math.min(stages.length - 1, Math.floor(of.score * stages.length)),
    at: { ...NO_AMOUNTS, score: of.score },
    perMs: { ...NO_AMOUNTS, score: of.perMs },
  };
}
