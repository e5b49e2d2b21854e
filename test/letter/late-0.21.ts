import {
  type AttemptBook,
  type Books,
  inOrderOfTask,
  isRunning,
  type JobBook,
  type NodeBook,
  type PhaseBook,
  runsAlone,
  successes,
  type TaskBook,
  unended,
} from "./books.ts";
import { below, deviation, largest, mean } from "./figures.ts";
import type { Answer, Letter, Params, Slot } from "./letter.ts";
import { mayCopyTo, phasesOf } from "./turn.ts";

/**
 * LATE as Hadoop 0.21 has it (HADOOP-2141): JobInProgress.findSpeculativeTask. A job of Hadoop
 * has one phase of maps; phases side by side are asked one after the other, as jobs would be.
 */
const rules =
  (params: Params) =>
  (books: Books, job: JobBook, slot: Slot): Answer | undefined => {
    const phases = phasesOf(job, slot);
    const found = phases.map((phase) => {
      const from = `rates ${phase.id}`;
      const ranked = books.held(
        `slow ${phase.id}`,
        () => slowTasks(books, phase, params, from),
        from,
      );
      return { phase, ranked };
    });
    if (!job.speculate) return undefined;
    if (job.phases.some((phase) => isSlow(phase, slot.node, params))) return undefined;
    for (const { phase, ranked } of found) {
      if (!phase.speculate || isAtCap(books, phase, params)) continue;
      const first = ranked.find(
        ({ attempt }) => runsAlone(attempt.task) === attempt && mayCopyTo(attempt.task, slot),
      );
      if (first !== undefined) return { do: "copy", task: first.attempt.task };
    }
    return undefined;
  };

interface Ranked {
  readonly attempt: AttemptBook;
  /** Smallest first: the inverse of the time left. */
  readonly rank: number;
}

/** canBeSpeculated and LateComparator. */
function slowTasks(books: Books, phase: PhaseBook, params: Params, from: string): Ranked[] {
  // Finished tasks stay in, even if they must run again.
  const rates = books.held(from, () => [
    ...successes(phase).map((attempt) => books.rate(attempt)),
    ...phase.tasks.filter(isRunning).map((task) => rateOf(books, task)),
  ]);
  const slow = inOrderOfTask(phase).flatMap((task): Ranked[] => {
    const attempt = runsAlone(task);
    if (attempt === undefined || books.elapsed(attempt) < (params.lagMs ?? 60_000)) return [];
    const rate = rateOf(books, task);
    const slow = mean(rates) - (params.slowTaskThreshold ?? 1) * deviation(rates);
    if (!below(rate, slow)) return [];
    return [{ attempt, rank: rate / Math.max(0.0001, 1 - books.score(attempt)) }];
  });
  const ranked: Ranked[] = [];
  while (slow.length > 0) {
    const next = largest(slow, ({ rank }) => -rank);
    if (next === undefined) break;
    slow.splice(slow.indexOf(next), 1);
    ranked.push(next);
  }
  return ranked;
}

/** The best of its running attempts. */
function rateOf(books: Books, task: TaskBook): number {
  const running = unended(task).filter(({ state }) => state === "running");
  return Math.max(0, ...running.map((attempt) => books.rate(attempt)));
}

/**
 * isSlowTracker: the mean duration of tasks finished on the node exceeds the mean of the nodes'
 * means by the given number of deviations, for maps or reduces, by the slot's kind.
 */
function isSlow(phase: PhaseBook, node: NodeBook, params: Params): boolean {
  const times = new Map<NodeBook, number[]>();
  for (const { node: on, startedAt, endedAt } of successes(phase)) {
    times.set(on, [...(times.get(on) ?? []), endedAt - startedAt]);
  }
  const own = times.get(node);
  if (own === undefined) return false;
  const means = [...times.values()].map(mean);
  return below(mean(means) + (params.slowNodeThreshold ?? 1) * deviation(means), mean(own));
}

/**
 * atSpeculativeCap: fewer than the largest of ten, 1 % of the slots and 10 % of the running tasks.
 * A task is being speculated while several attempts of it are active
 * (TaskInProgress.isSpeculating).
 */
function isAtCap(books: Books, phase: PhaseBook, params: Params): boolean {
  const running = phase.tasks.filter(isRunning);
  const copied = running.filter((task) => unended(task).length > 1).length;
  const cap = Math.max(
    params.copiesMin ?? 10,
    (params.slotsShareMin ?? 0.01) * books.slots(phase.kind),
    (params.speculativeCap ?? 0.1) * running.length,
  );
  return copied >= cap;
}

export const late021: Letter = {
  policy: "late-0.21",
  acts: ["copy longest-time-left"],
  discipline: "late-0.21,sharing=fifo-plain",
  draw: (dice) => ({
    speculativeCap: dice.pick([0.1, 0.1, 0.3]),
    copiesMin: dice.pick([10, 0, 1, 2]),
    slotsShareMin: dice.pick([0.01, 0.1]),
    slowNodeThreshold: dice.pick([1, 0.5]),
    slowTaskThreshold: dice.pick([1, 1, 0.5]),
    lagMs: dice.pick([60_000, 60_000, 20_000]),
  }),
  defaults: {
    speculativeCap: 0.1,
    copiesMin: 10,
    slotsShareMin: 0.01,
    slowNodeThreshold: 1,
    slowTaskThreshold: 1,
    lagMs: 60_000,
  },
  rules: (params) => ({ idle: rules(params) }),
};
