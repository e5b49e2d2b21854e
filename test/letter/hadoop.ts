import {
  type Books,
  inOrderOfTask,
  type JobBook,
  MAP,
  type PhaseBook,
  runsAlone,
  type TaskBook,
} from "./books.ts";
import { below, mean, notBelow } from "./figures.ts";
import type { Answer, Letter, Params, Slot } from "./letter.ts";
import { distance, mayCopyTo, phasesOf } from "./turn.ts";

/** The points where the source differs from the paper's section 2.1. */
interface Reading {
  /** Whether the mean is far enough ahead of a score, to which the gap has been added. */
  isBehind(average: number, score: number): boolean;
  /** The start of the minute. */
  readonly fromAdmission: boolean;
  /** Whether a lost output counts as done until a new attempt is reported. */
  readonly lostIsDone: boolean;
}

const rules =
  (params: Params, reading: Reading) =>
  (books: Books, job: JobBook, slot: Slot): Answer | undefined => {
    const found = phasesOf(job, slot).map((phase) => {
      const from = `mean ${phase.id}`;
      const behind = books.held(
        `behind ${phase.id}`,
        () => behindMean(books, phase, { params, reading, from }),
        from,
      );
      return { phase, behind };
    });
    if (!job.speculate) return undefined;
    for (const { phase, behind } of found) {
      if (!phase.speculate) continue;
      const free = behind.filter(
        (attempt) => runsAlone(attempt.task) === attempt && mayCopyTo(attempt.task, slot),
      );
      // findSpeculativeTask: the map caches from the node up to its rack, then the rest.
      const near = (task: TaskBook) => (phase.kind === MAP ? distanceLeft(books, task, slot) : 0);
      const first = free.sort((a, b) => near(a.task) - near(b.task))[0];
      if (first !== undefined) return { do: "copy", task: first.task };
    }
    return undefined;
  };

/**
 * shouldRemove: a task that has run on the node is only on its rack's list, until it starts again.
 */
export function distanceLeft(books: Books, task: TaskBook, slot: Slot): number {
  const isStruck = task.attempts.some((one) => one.node === slot.node && one.id >= task.workFrom);
  return isStruck ? Math.max(1, distance(books, task, slot)) : distance(books, task, slot);
}

function behindMean(
  books: Books,
  phase: PhaseBook,
  { params, reading, from }: { params: Params; reading: Reading; from: string },
) {
  const average = books.held(from, () => meanProgress(books, phase, reading));
  return inOrderOfTask(phase).flatMap((task) => {
    const attempt = runsAlone(task);
    if (attempt === undefined) return [];
    const since = reading.fromAdmission ? (phase.job.admittedAt ?? Infinity) : attempt.startedAt;
    if (books.now - since < (params.lagMs ?? 60_000)) return [];
    return reading.isBehind(average, books.score(attempt) + (params.gap ?? 0.2)) ? [attempt] : [];
  });
}

/** Over all tasks: a finished task counts 1, a task that has not started 0. */
const meanProgress = (books: Books, phase: PhaseBook, { lostIsDone }: Reading): number =>
  mean(
    phase.tasks.map((task) => {
      if (task.done || (lostIsDone && task.unheard)) return 1;
      const running = task.attempts.filter(({ state }) => state === "running");
      return Math.max(0, ...running.map((attempt) => books.score(attempt)));
    }),
  );

const draw: Letter["draw"] = (dice) => ({
  gap: dice.pick([0.2, 0.2, 0, 0.1]),
  lagMs: dice.pick([60_000, 60_000, 0, 20_000]),
});

/** SPECULATIVE_GAP and SPECULATIVE_LAG; LATE 2.1 has the same two. */
const defaults = { gap: 0.2, lagMs: 60_000 };

/** Hadoop 1.2.1, TaskInProgress.hasSpeculativeTask. */
export const hadoop: Letter = {
  policy: "hadoop",
  acts: ["copy behind-the-mean"],
  discipline: "hadoop,sharing=fifo-plain",
  ...{ draw, defaults },
  rules: (params) => ({
    idle: rules(params, { isBehind: notBelow, fromAdmission: true, lostIsDone: true }),
  }),
};

/** LATE 2.1: a score below the average minus 0.2, after a minute of the task's own. */
export const hadoopPaper: Letter = {
  policy: "hadoop-paper",
  acts: ["copy behind-the-mean"],
  discipline: "hadoop-paper,sharing=fifo-plain",
  ...{ draw, defaults },
  rules: (params) => ({
    idle: rules(params, {
      isBehind: (average, score) => below(score, average),
      fromAdmission: false,
      lostIsDone: false,
    }),
  }),
};
