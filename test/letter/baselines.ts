import {
  type AttemptBook,
  type Books,
  doneIn,
  inOrderOfLaunch,
  type JobBook,
  type PhaseBook,
  runsAlone,
  successes,
  unended,
} from "./books.ts";
import { below } from "./figures.ts";
import type { Answer, Letter, Params, Slot } from "./letter.ts";
import { mayCopyTo, phasesOf } from "./turn.ts";

/**
 * Mantri 7 of Google MapReduce: when a threshold number of the tasks are done, all that remain run
 * a second time. "Close to completion" is a share of the tasks; part of a task counts as one.
 */
export const mapreduce: Letter = {
  policy: "mapreduce",
  acts: ["copy remains-near-the-end"],
  discipline: "mapreduce,sharing=fifo-plain",
  draw: (dice) => ({ doneShareMin: dice.pick([0.95, 0.75, 0.5]) }),
  defaults: { doneShareMin: 0.95 },
  rules: (params) => ({
    idle(books, job, slot) {
      const found = phasesOf(job, slot).map((phase) => {
        const alone = books.held(`alone ${phase.id}`, () =>
          inOrderOfLaunch(phase).flatMap((task) => runsAlone(task) ?? []),
        );
        return { phase, alone };
      });
      if (!job.speculate) return undefined;
      for (const { phase, alone } of found) {
        if (!phase.speculate) continue;
        const remaining = phase.tasks.length - doneIn(phase);
        const most = Math.ceil((1 - (params.doneShareMin ?? 0.95)) * phase.tasks.length - 1e-9);
        if (remaining > most) continue;
        const free = alone.find(
          (attempt) => runsAlone(attempt.task) === attempt && mayCopyTo(attempt.task, slot),
        );
        if (free !== undefined) return { do: "copy", task: free.task };
      }
      return undefined;
    },
  }),
};

/**
 * Mantri 7 of Dryad: a task that runs longer than the 75th percentile of durations is duplicated.
 */
const dryadRules =
  (params: Params) =>
  (books: Books, job: JobBook, slot: Slot): Answer | undefined => {
    const found = phasesOf(job, slot).map((phase) => {
      const attempts = books.held(`long ${phase.id}`, () => longRunning(books, phase, params));
      return { phase, attempts };
    });
    if (!job.speculate) return undefined;
    for (const { phase, attempts } of found) {
      if (!phase.speculate) continue;
      const first = attempts.find(
        (attempt) => runsAlone(attempt.task) === attempt && mayCopyTo(attempt.task, slot),
      );
      if (first !== undefined) return { do: "copy", task: first.task };
    }
    return undefined;
  };

/** Longest first. */
function longRunning(books: Books, phase: PhaseBook, params: Params): AttemptBook[] {
  if (below(doneIn(phase), (params.doneShareMin ?? 0.5) * phase.tasks.length)) return [];
  const limit = durationAt(phase, params.durationPercentile ?? 75);
  if (limit === undefined) return [];
  const long = inOrderOfLaunch(phase).flatMap((task) => {
    const attempt = runsAlone(task);
    return attempt !== undefined && below(limit, books.elapsed(attempt)) ? [attempt] : [];
  });
  return long.sort((a, b) => a.startedAt - b.startedAt || a.id - b.id);
}

/**
 * DrStageStatistics::ReEstimate: the rank is a share of the executions begun, and those that still
 * run are going to be the longest. Unknown while a needed rank still runs. A recomputed task is
 * executed again.
 */
function durationAt(phase: PhaseBook, q: number): number | undefined {
  const done = successes(phase)
    .map(({ startedAt, endedAt }) => endedAt - startedAt)
    .sort((a, b) => a - b);
  const running = phase.tasks.filter((task) => !task.done && unended(task).length > 0).length;
  const begun = done.length + running;
  const rank = (q / 100) * (begun - 1);
  const low = done[Math.floor(rank)];
  const high = done[Math.ceil(rank)];
  if (low === undefined || high === undefined) return undefined;
  return low + (high - low) * (rank - Math.floor(rank));
}

export const dryad: Letter = {
  policy: "dryad",
  acts: ["copy longer-than-most"],
  discipline: "dryad,sharing=fifo-plain",
  draw: (dice) => ({
    durationPercentile: dice.pick([75, 75, 50]),
    doneShareMin: dice.pick([0.5, 0.25]),
  }),
  defaults: { durationPercentile: 75, doneShareMin: 0.5 },
  rules: (params) => ({ idle: dryadRules(params), contended: dryadRules(params) }),
};
