import {
  type AttemptBook,
  type Books,
  type JobBook,
  type NodeBook,
  type PhaseBook,
  runningIn,
  runsAlone,
  successes,
} from "./books.ts";
import { below, largest, percentile, sum } from "./figures.ts";
import type { Answer, Letter, Params, Slot } from "./letter.ts";
import { copiesHolding, mayCopyTo, phasesOf } from "./turn.ts";

/** Zaharia et al., "Improving MapReduce Performance in Heterogeneous Environments", section 4. */
export const lateBy =
  (params: Params, timeLeft: TimeLeft) =>
  (books: Books, job: JobBook, slot: Slot): Answer | undefined => {
    const { speculativeCap, slowNodeThreshold } = params as Record<string, number>;
    const ranking = phasesOf(job, slot).map((phase) => {
      const from = `slow-task ${phase.id}`;
      return books.held(
        `ranked ${phase.id}`,
        () => rankedSlow(books, phase, { from, params, timeLeft }),
        from,
      );
    });
    const nodes = books.held("node-progress", () => {
      const all = books.joined.map((node) => progressOf(books, node));
      return percentile(all, slowNodeThreshold!);
    });
    if (!job.speculate) return undefined;
    // "If a node asks for a new task and there are fewer than SpeculativeCap speculative tasks
    // running": a share of the slots of the kind.
    if (copiesHolding(books, slot) >= speculativeCap! * books.slots(slot.kind)) return undefined;
    // "Ignore the request if the node's total progress is below SlowNodeThreshold."
    if (below(progressOf(books, slot.node), nodes)) return undefined;
    // "Rank currently running tasks that are not currently being speculated by estimated time left.
    // Launch a copy of the highest-ranked task with progress rate below SlowTaskThreshold."
    const firsts = ranking.flatMap((ranked) => {
      const first = ranked.find(
        (attempt) => runsAlone(attempt.task) === attempt && mayCopyTo(attempt.task, slot),
      );
      return first === undefined ? [] : [first];
    });
    const chosen = largest(firsts, (attempt) => timeLeft(books, attempt));
    return chosen === undefined ? undefined : { do: "copy", task: chosen.task };
  };

type TimeLeft = (books: Books, attempt: AttemptBook) => number;

/** Section 4: (1 - ProgressScore) / ProgressRate. */
const lateRules = (params: Params) => lateBy(params, (books, attempt) => books.timeLeft(attempt));

interface Ranking {
  readonly params: Params;
  readonly timeLeft: TimeLeft;
  /** The name of the threshold among the figures that may be held. */
  readonly from: string;
}

/** Longest time left first; only slow attempts that have run for a minute. */
function rankedSlow(
  books: Books,
  phase: PhaseBook,
  { from, params, timeLeft }: Ranking,
): AttemptBook[] {
  const threshold = books.held(from, () => {
    // An attempt that has run for no time has no rate: T is 0.
    const running = runningIn(phase).filter((one) => books.elapsed(one) > 0);
    const everyone = [...running, ...successes(phase)];
    return percentile(
      everyone.map((one) => books.rate(one)),
      params.slowTaskThreshold ?? 25,
    );
  });
  const slow = runningIn(phase).filter(
    (attempt) =>
      runsAlone(attempt.task) === attempt &&
      books.elapsed(attempt) > 0 &&
      books.elapsed(attempt) >= (params.runtimeMsMin ?? 60_000) &&
      below(books.rate(attempt), threshold),
  );
  return byTimeLeft(slow, (attempt) => timeLeft(books, attempt));
}

function byTimeLeft(
  attempts: readonly AttemptBook[],
  timeLeft: (attempt: AttemptBook) => number,
): AttemptBook[] {
  const left = [...attempts].sort((a, b) => a.id - b.id);
  const ranked: AttemptBook[] = [];
  while (left.length > 0) {
    const next = largest(left, timeLeft);
    if (next === undefined) break;
    left.splice(left.indexOf(next), 1);
    ranked.push(next);
  }
  return ranked;
}

/**
 * "The sum of progress scores for all succeeded and in-progress tasks on the node." An attempt that
 * is being killed is in progress until the node reports its end.
 */
function progressOf(books: Books, node: NodeBook): number {
  const running = books.holding().filter((one) => one.node === node);
  return node.succeeded + sum(running.map((attempt) => books.score(attempt)));
}

const draw: Letter["draw"] = (dice) => ({
  speculativeCap: dice.pick([0.1, 0.1, 0.2, 0.35, 1]),
  slowNodeThreshold: dice.pick([25, 25, 10, 40]),
  slowTaskThreshold: dice.pick([25, 25, 10, 40]),
  runtimeMsMin: dice.pick([60_000, 60_000, 20_000, 10_000, 0]),
});

export const late: Letter = {
  policy: "late",
  acts: ["copy longest-time-left"],
  discipline: "late,sharing=fifo-plain",
  draw,
  rules: (params) => ({ idle: lateRules(params) }),
};

/** Mantri 6.3: "identical in all ways except that it addresses stragglers early". */
export const lateEarly: Letter = {
  policy: "late-early",
  acts: ["copy longest-time-left"],
  discipline: "late-early,sharing=fifo-plain",
  draw,
  rules: (params) => ({ idle: lateRules(params), contended: lateRules(params) }),
};
