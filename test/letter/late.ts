import {
  type AttemptBook,
  type Books,
  type JobBook,
  type NodeBook,
  type PhaseBook,
  runningIn,
  runsAlone,
  successes,
  unended,
} from "./books.ts";
import { below, largest, percentile, sum } from "./figures.ts";
import { distanceLeft } from "./hadoop.ts";
import type { Answer, Letter, Params, Slot } from "./letter.ts";
import { copiesHolding, mayCopyTo, phasesOf } from "./turn.ts";

/** Zaharia et al., "Improving MapReduce Performance in Heterogeneous Environments", section 4. */
export const lateBy =
  (params: Params, timeLeft: TimeLeft) =>
  (books: Books, job: JobBook, slot: Slot): Answer | undefined => {
    const { speculativeCap, slowNodeThreshold } = params as Record<string, number>;
    const ranking = phasesOf(job, slot).map((phase): Ranking => {
      const from = `slow-task ${phase.id}`;
      const how = { from, params, timeLeft };
      const ranked = () => rankedSlow(books, phase, how);
      return {
        phase,
        slow: books.held(`ranked ${phase.id}`, ranked, from),
        near:
          params.nearerWithin === 0
            ? []
            : books.held(`near ${phase.id}`, () => almostFirst(ranked(), books, how), from),
        again: params.copiesMax === 1 ? [] : slowThroughout(books, phase, how),
      };
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
    const found = ranking
      .filter(({ phase }) => phase.speculate)
      .flatMap(({ again, near, slow }): Ranked[] => {
        const mayRun = ({ task }: AttemptBook) => mayCopyTo(task, slot);
        const isAlone = (one: AttemptBook) => runsAlone(one.task) === one && mayRun(one);
        // "LATE does not take into account data locality [...]; this is a potential extension."
        const place = ({ task }: AttemptBook) => distanceLeft(books, task, slot);
        const [nearest] = near.filter(isAlone).sort((a, b) => place(a) - place(b));
        const first = nearest ?? slow.find(isAlone);
        const firsts =
          first === undefined ? [] : [{ attempt: first, left: timeLeft(books, first) }];
        // "More than one speculative copy of each task."
        return [...firsts, ...again.filter(({ attempt }) => mayRun(attempt))];
      })
      .sort((a, b) => a.attempt.task.id - b.attempt.task.id);
    const chosen = largest(found, ({ left }) => left);
    return chosen === undefined ? undefined : { do: "copy", task: chosen.attempt.task };
  };

type TimeLeft = (books: Books, attempt: AttemptBook) => number;

/** Section 4: (1 - ProgressScore) / ProgressRate. */
const lateRules = (params: Params) => lateBy(params, (books, attempt) => books.timeLeft(attempt));

interface Ranked {
  readonly attempt: AttemptBook;
  /** Milliseconds. */
  readonly left: number;
}

interface Ranking {
  readonly phase: PhaseBook;
  readonly slow: readonly AttemptBook[];
  readonly near: readonly AttemptBook[];
  readonly again: readonly Ranked[];
}

interface How {
  readonly params: Params;
  readonly timeLeft: TimeLeft;
  /** The name of the threshold among the figures that may be held. */
  readonly from: string;
}

/** Longest time left first; only slow attempts that have run for a minute. */
function rankedSlow(
  books: Books,
  phase: PhaseBook,
  { from, params, timeLeft }: How,
): AttemptBook[] {
  const threshold = slowTask(books, phase, { from, params });
  const slow = runningIn(phase).filter(
    (attempt) =>
      runsAlone(attempt.task) === attempt && isSlow(books, attempt, { params, threshold }),
  );
  return byTimeLeft(slow, (attempt) => timeLeft(books, attempt));
}

/** Those whose time left is within a fraction of the first one's. */
function almostFirst(
  ranked: readonly AttemptBook[],
  books: Books,
  { params, timeLeft }: How,
): readonly AttemptBook[] {
  const [first] = ranked;
  if (first === undefined || params.nearerWithin === 1) return ranked;
  const least = (1 - (params.nearerWithin ?? 0)) * timeLeft(books, first);
  const end = ranked.findIndex((attempt) => below(timeLeft(books, attempt), least));
  return end < 0 ? ranked : ranked.slice(0, end);
}

/** Tasks that have copies, but fewer than allowed, where every attempt is slow and old enough. */
function slowThroughout(books: Books, phase: PhaseBook, { from, params, timeLeft }: How): Ranked[] {
  const threshold = slowTask(books, phase, { from, params });
  return phase.tasks.flatMap((task) => {
    const attempts = unended(task);
    const copies = attempts.filter(({ speculative }) => speculative).length;
    if (task.done || copies === 0 || copies >= (params.copiesMax ?? 1)) return [];
    if (!attempts.every((attempt) => isSlow(books, attempt, { params, threshold }))) return [];
    const lefts = attempts.map((attempt) => timeLeft(books, attempt));
    // The task ends with the first of its attempts.
    return [{ attempt: attempts[0]!, left: Math.min(...lefts) }];
  });
}

const isSlow = (
  books: Books,
  attempt: AttemptBook,
  { params, threshold }: { readonly params: Params; readonly threshold: number },
): boolean =>
  attempt.state === "running" &&
  books.elapsed(attempt) > 0 &&
  books.elapsed(attempt) >= (params.runtimeMsMin ?? 60_000) &&
  below(books.rate(attempt), threshold);

function slowTask(
  books: Books,
  phase: PhaseBook,
  { from, params }: Pick<How, "from" | "params">,
): number {
  return books.held(from, () => {
    // An attempt that has run for no time has no rate: T is 0.
    const running = runningIn(phase).filter((one) => books.elapsed(one) > 0);
    const everyone = [...running, ...successes(phase)];
    return percentile(
      everyone.map((one) => books.rate(one)),
      params.slowTaskThreshold ?? 25,
    );
  });
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
  copiesMax: dice.pick([1, 1, 1, 2, 3]),
  nearerWithin: dice.pick([0, 0, 0, 0.3, 1]),
});

/** LATE 4: "good choices" of the paper, and one copy of a task, whose place does not matter. */
const defaults: Letter["defaults"] = {
  speculativeCap: 0.1,
  slowNodeThreshold: 25,
  slowTaskThreshold: 25,
  runtimeMsMin: 60_000,
  copiesMax: 1,
  nearerWithin: 0,
};

export const late: Letter = {
  policy: "late",
  acts: ["copy longest-time-left"],
  discipline: "late,sharing=fifo-plain",
  draw,
  defaults,
  rules: (params) => ({ idle: lateRules(params) }),
};

/** Mantri 6.3: "identical in all ways except that it addresses stragglers early". */
export const lateEarly: Letter = {
  policy: "late-early",
  acts: ["copy longest-time-left"],
  discipline: "late-early,sharing=fifo-plain",
  draw,
  defaults,
  rules: (params) => ({ idle: lateRules(params), contended: lateRules(params) }),
};
