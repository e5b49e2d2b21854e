import {
  type AttemptBook,
  type Books,
  dataOf,
  hasRunOn,
  isInputWritten,
  type JobBook,
  type NodeBook,
  type TaskBook,
} from "./books.ts";
import { largest, mean, notBelow } from "./figures.ts";
import { type Answer, askText, type Letter, type Params, type Rules, type Slot } from "./letter.ts";
import { deltaOf, newCopyMs, timeLeft } from "./own-times.ts";
import { phasesOf } from "./turn.ts";

/**
 * Ananthanarayanan et al., "Reining in the Outliers in Map-Reduce Clusters using Mantri", section
 * 5.1, Pseudocode 1, lines 3 to 12, with the order of 5.4. t_rem and t_new are the world's own: the
 * estimator's seat is taken by one that reads these books.
 */
class Pseudocode1 implements Rules {
  private readonly p: Record<string, number>;
  /** The time since which a task has been worth an action on an average node, at every question. */
  private readonly since = new Map<string, number>();
  /** The time at which it last was, even if it is not now: the list may be a period old. */
  private readonly lastAt = new Map<string, number>();
  private readonly judged = new Set<TaskBook>();

  constructor(params: Params) {
    this.p = params;
  }

  /** The task's figures if an action is allowed: the task has reported, and its pause is over. */
  private standing(books: Books, task: TaskBook) {
    const copies = runningOf(task);
    const delta = deltaOf(books, task);
    const [first] = copies;
    const isDying = task.attempts.some(({ state }) => state === "dying");
    if (task.done || first === undefined || isDying) return undefined;
    if (copies.some((copy) => books.elapsed(copy) < delta)) return undefined;
    const launched = task.attempts.filter((one) => one.speculative || one.restarted);
    const recent = Math.max(...launched.map(({ startedAt }) => startedAt));
    if (books.now - recent < this.p.stablePeriods! * delta) return undefined;
    return { task, copies, delta, remMs: Math.min(...copies.map((copy) => timeLeft(books, copy))) };
  }

  /** Lines 6 and 7, or line 10; on a node, or on an average one. */
  private help(books: Books, task: TaskBook, where: { waits: boolean; node?: NodeBook }) {
    const found = this.standing(books, task);
    if (found === undefined) return undefined;
    const { copies, delta, remMs } = found;
    const times = newCopyMs(books, task, where.node);
    const savedMs = remMs - mean(times);
    const [only] = copies;
    const c = copies.length;
    if (!where.waits) {
      return savedMs > this.p.rho! * delta ? { savedMs, answer: copyOf(task) } : undefined;
    }
    const restarts = task.restarts < this.p.gamma!;
    if (c === 1 && only !== undefined && restarts && remMs > mean(times) + delta) {
      // Cosmos queues the restarted task again.
      const how = this.p.restartTakesSlot === 1 ? "restart" : "queue";
      return { savedMs, answer: { do: how, attempt: only } as const };
    }
    const likely = times.filter((ms) => ms < (remMs * c) / (c + 1)).length / times.length;
    return likely > this.p.delta! ? { savedMs, answer: copyOf(task) } : undefined;
  }

  contended = (books: Books, job: JobBook, slot: Slot) => this.ask(books, job, slot, true);
  idle = (books: Books, job: JobBook, slot: Slot) => this.ask(books, job, slot, false);

  /**
   * 6.1: the task that would benefit the most. Looks at a phase come once per period, so a task
   * that became a candidate within the last period may be known or not; with more than three
   * candidates in the list, a slot is not judged for all of them.
   */
  private ask(books: Books, job: JobBook, slot: Slot, waits: boolean): readonly Answer[] {
    if (!job.speculate) return [{ do: "left" }];
    const answers: Answer[] = [];
    const known: number[] = [];
    let candidates = 0;
    const worth = [];
    for (const phase of phasesOf(job, slot)) {
      if (!phase.speculate) continue;
      for (const task of phase.tasks) {
        const key = keyOf(task, waits);
        const period = this.period(books, task);
        if (this.wasWorth(books, task, period)) candidates++;
        const since = this.since.get(key);
        // A candidate of the last look may not be worth an action on an average node any more.
        if (since === undefined && !this.wasWorth(books, task, period)) continue;
        if (hasRunOn(task, slot.node.id)) continue;
        const help = this.help(books, task, { waits, node: slot.node });
        if (help === undefined) continue;
        worth.push(help);
        if (since !== undefined && books.now - since > period) known.push(help.savedMs);
      }
    }
    // Line 7 asks for a probability: the mean of what a copy saves may be less than nothing.
    const most = candidates > 3 ? Number.NEGATIVE_INFINITY : Math.max(...known);
    for (const { savedMs, answer } of worth) if (notBelow(savedMs, most)) answers.push(answer);
    if (known.length === 0 || candidates > 3) answers.push({ do: "left" });
    return answers;
  }

  /** Whether the task was worth an action within the last period, for a contended or idle slot. */
  private wasWorth(books: Books, task: TaskBook, period: number): boolean {
    return [true, false].some((waits) => {
      const lastAt = this.lastAt.get(keyOf(task, waits));
      return lastAt !== undefined && books.now - lastAt <= period;
    });
  }

  /** 5.4: the tasks of a phase in descending order of data size, wherever their data are. */
  first = (_books: Books, waiting: readonly TaskBook[]): readonly TaskBook[] => {
    const [one] = waiting;
    const ofPhase = waiting.filter((task) => task.phase === one?.phase);
    // While the input is being written, the sizes of the tasks are unknown.
    if (one !== undefined && !isInputWritten(one.phase)) return ofPhase;
    return [largest(ofPhase, dataOf) ?? []].flat();
  };

  /** Line 3: of the copies that have run for Delta, all but the fastest alpha, within a period. */
  mayAsk(books: Books, ask: string): boolean {
    return runningEverywhere(books).some(
      (attempt) =>
        ask === askText({ ask: "kill", attempt }) &&
        this.slower(books, attempt.task).includes(attempt),
    );
  }

  private slower(books: Books, task: TaskBook): AttemptBook[] {
    // While the input is being written, no attempt can be judged.
    if (!isInputWritten(task.phase)) return [];
    const ran = runningOf(task).filter((copy) => books.elapsed(copy) >= deltaOf(books, task));
    return ran
      .sort((a, b) => timeLeft(books, a) - timeLeft(books, b) || a.id - b.id)
      .slice(this.p.alpha!);
  }

  /** The time since which each task has been a candidate on an average node. */
  private watch(books: Books): void {
    for (const job of books.liveJobs) {
      for (const task of job.phases.flatMap((phase) => phase.tasks)) {
        if (task.attempts.length === 0 || (task.done && !this.since.has(keyOf(task, true))))
          continue;
        const isWritten = isInputWritten(task.phase);
        // A task is judged as soon as it can be, after its first report.
        const isFirst = isWritten && this.isFirstJudged(books, task);
        for (const waits of [true, false]) {
          const key = keyOf(task, waits);
          const isWorth = isWritten && this.help(books, task, { waits }) !== undefined;
          if (isWorth) this.lastAt.set(key, books.now);
          if (!isWorth) this.since.delete(key);
          else if (!this.since.has(key)) this.since.set(key, isFirst ? -Infinity : books.now);
        }
      }
    }
  }

  /** Whether this is the first time that the task can be judged. */
  private isFirstJudged(books: Books, task: TaskBook): boolean {
    if (this.judged.has(task) || this.standing(books, task) === undefined) return false;
    this.judged.add(task);
    return task.attempts.length === 1;
  }

  /** The attempts that should have been killed a period ago. */
  overdue(books: Books): AttemptBook[] {
    this.watch(books);
    return runningEverywhere(books).filter((attempt) => {
      const key = `slower ${attempt.id}`;
      if (!this.slower(books, attempt.task).includes(attempt)) {
        this.since.delete(key);
        return false;
      }
      if (!this.since.has(key)) this.since.set(key, books.now);
      return books.now - (this.since.get(key) ?? books.now) > this.period(books, attempt.task);
    });
  }

  /** A phase has one look per period of its tasks. */
  private period(books: Books, task: TaskBook): number {
    return Math.max(...task.phase.tasks.map((one) => deltaOf(books, one)));
  }
}

const runningEverywhere = (books: Books): AttemptBook[] =>
  books.holding().filter(({ state, task }) => state === "running" && !task.done);

const keyOf = (task: TaskBook, waits: boolean): string => `${task.id} ${waits}`;

const copyOf = (task: TaskBook) => ({ do: "copy", task }) as const;

const runningOf = (task: TaskBook): AttemptBook[] =>
  task.attempts.filter(({ state }) => state === "running");

export const mantri: Letter = {
  policy: "mantri",
  acts: [
    "restart restart-is-sooner",
    "queue restart-is-sooner",
    "copy copy-saves-work",
    "copy copy-saves-time",
    "kill slower-copy",
  ],
  discipline: "mantri,data=mantri-placement",
  draw: (dice) => ({
    alpha: dice.pick([2, 2, 1]),
    gamma: dice.pick([3, 3, 0, 1]),
    delta: dice.pick([0.25, 0.25, 0.5, 0.1]),
    rho: dice.pick([3, 3, 1, 6]),
    stablePeriods: dice.pick([2, 2, 4]),
    restartTakesSlot: dice.pick([1, 1, 0]),
  }),
  defaults: { alpha: 2, gamma: 3, delta: 0.25, rho: 3, stablePeriods: 2, restartTakesSlot: 1 },
  sets: (params) =>
    Object.entries(params).map(([name, value]) =>
      name === "restartTakesSlot" ? `${name}=${value === 1}` : `${name}=${value}`,
    ),
  rules: (params) => new Pseudocode1(params),
  world: { ownEstimates: true, partitions: true, brisk: true },
};
