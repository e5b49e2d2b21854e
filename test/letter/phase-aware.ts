import type { AttemptBook, Books, PhaseBook } from "./books.ts";
import { notBelow } from "./figures.ts";
import { late, lateBy } from "./late.ts";
import type { Letter } from "./letter.ts";

/**
 * LATE 4.2: "account for each phase independently when estimating completion time", where the
 * phases of a task are called stages here. "The per-phase progress rate thus far observed for any
 * completed or in-progress phases for that task, and for phases that the task has not entered yet
 * the average progress rate of those phases from other reduce tasks."
 */
function timeLeft(books: Books, attempt: AttemptBook): number {
  const { phase } = attempt.task;
  const score = books.score(attempt);
  if (score >= 1) return 0;
  const elapsed = books.elapsed(attempt);
  const own = elapsed > 0 ? score / elapsed : 0;
  const entry = books.entries(attempt).at(-1);
  const current = entry?.stage ?? 0;
  let left = 0;
  let begin = 0;
  for (const [stage, share] of phase.shares.entries()) {
    const end = begin + share;
    const others = averageRate(books, phase, stage);
    if (stage > current) left += share / (others ?? own);
    else if (stage === current && entry !== undefined) {
      const sinceMs = books.now - entry.at;
      const shown = score > entry.score ? (score - entry.score) / sinceMs : undefined;
      // Without progress for as long as the stage took the others, the task is not like them.
      const isLate = others !== undefined && notBelow(sinceMs * others, share);
      left += Math.max(0, end - Math.max(score, begin)) / (shown ?? (isLate ? own : others) ?? own);
    }
    begin = end;
  }
  return left;
}

/** All progress that succeeded attempts made in the stage, by the time that they spent there. */
function averageRate(books: Books, phase: PhaseBook, stage: number): number | undefined {
  let progress = 0;
  let ms = 0;
  for (const attempt of phase.tasks.flatMap(({ attempts }) => attempts)) {
    if (attempt.state !== "succeeded") continue;
    const entries = books.entries(attempt, attempt.endedAt);
    for (const [i, entry] of entries.entries()) {
      if (entry.stage !== stage) continue;
      const next = entries[i + 1] ?? { at: attempt.endedAt, score: 1 };
      progress += next.score - entry.score;
      ms += next.at - entry.at;
    }
  }
  return progress > 0 ? progress / ms : undefined;
}

export const latePhaseAware: Letter = {
  ...late,
  policy: "phase-aware",
  discipline: "late,estimator=phase-aware,sharing=fifo-plain",
  rules: (params) => ({ idle: lateBy(params, timeLeft) }),
  world: { stages: true },
};
