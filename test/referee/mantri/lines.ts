import type { Kind } from "../../letter/books.ts";
import {
  type AttemptBook,
  type Books,
  failedOn,
  isDone,
  type JobBook,
  type NodeBook,
  type PhaseBook,
  type TaskBook,
  waits,
} from "../driven/books.ts";
import { isClosed, openTo } from "../driven/lose.ts";
import { above, below, largest, mean } from "../figures.ts";
import { newCopyMs, timeLeft } from "./estimator.ts";
import { inputBytes, isWritten, runningOf } from "./tasks.ts";

export interface Slot {
  readonly node: NodeBook;
  readonly kind: Kind;
}

export type Lines = Readonly<
  Record<"alpha" | "gamma" | "delta" | "rho" | "stablePeriods" | "periodMs", number>
>;

/** Candidates that are judged again for a slot, of each phase. */
const JUDGED_MAX = 3;

/** Section 5.1.1, Pseudocode 1, lines 3 to 12; 5.2's and 5.3's places and 5.4's order at line 8. */
export class Pseudocode1 {
  readonly #p: Lines;
  /** Since when a task has been worth an action on an average node, as far as a look must know. */
  readonly #since = new Map<string, number>();
  readonly #lastAt = new Map<TaskBook, number>();
  /** When the task reports for the first time, or may be judged again. */
  readonly #reportAt = new Map<TaskBook, number>();
  readonly #written = new Map<PhaseBook, boolean>();

  constructor(p: Lines) {
    this.#p = p;
  }

  /** What may be done with a slot; several where the reading leaves a choice. */
  answers(books: Books, slot: Slot): Set<string> {
    const answers = new Set<string>();
    for (const job of books.liveJobs) {
      job.nodesKnown = books.joined.length;
      if (isClosed(books, job, slot.node)) continue;
      // Line 5: "if tasks are waiting for slots".
      const waiting = waitingFor(books, job, slot);
      const asked = this.#help(books, job, slot, waiting.length > 0);
      for (const { text } of asked.worth) answers.add(text);
      if (!asked.mayBeLeft) return answers;
      const task = largestFirst(books, waiting, slot);
      if (task !== undefined) return answers.add(`start task ${task.id}`);
    }
    return answers.add("nothing");
  }

  /** Line 1: "10s or ten times in their lifetime, whichever is smaller". */
  #delta(task: TaskBook): number {
    return Math.min(this.#p.periodMs, mean(newCopyMs(task)) / 10);
  }

  /** The time from which a task with running copies can be judged. */
  #judgedFrom(task: TaskBook): number | undefined {
    const copies = runningOf(task);
    if (copies.length === 0 || task.attempts.some(({ state }) => state === "dying")) {
      return undefined;
    }
    const delta = this.#delta(task);
    const reported = Math.max(...copies.map(({ startedAt }) => startedAt + delta));
    // "Mantri does not re-duplicate a task for which it launched a copy recently."
    const launched = task.attempts.filter(({ as }) => as === "speculative" || as === "restart");
    const recent = launched.map(({ startedAt }) => startedAt + this.#p.stablePeriods * delta);
    return Math.max(reported, ...recent);
  }

  /** Lines 6 and 7, or line 10; on a node, or on an average one. */
  #helpFor(
    books: Books,
    task: TaskBook,
    { waits: isFull, node }: { waits: boolean; node?: NodeBook },
  ) {
    const from = this.#judgedFrom(task);
    if (isDone(task) || from === undefined || books.now < from) return undefined;
    const copies = runningOf(task);
    const [only] = copies;
    // Line 2: "let c = number of copies of a task".
    const c = copies.length;
    // "Hence, the number of running copies of a task is never larger than 3."
    if (c > this.#p.alpha) return undefined;
    const delta = this.#delta(task);
    const times = newCopyMs(task, node);
    const rem = Math.min(...copies.map((copy) => timeLeft(books, copy)));
    const savedMs = rem - mean(times);
    const copy = { savedMs, text: `copy task ${task.id}` };
    // Line 10: "duplicate iff E(t_rem - t_new) > rho Delta", the sign turned.
    if (!isFull) return above(savedMs, this.#p.rho * delta) ? copy : undefined;
    // Line 6: "kill, restart task if t_rem > E(t_new) + Delta, stop at gamma restarts".
    if (c === 1 && task.restarts < this.#p.gamma && above(rem, mean(times) + delta)) {
      return { savedMs, text: `restart attempt ${only!.id}` };
    }
    // Line 7: "duplicate if P(t_rem > t_new (c + 1) / c) > delta".
    const likely = times.filter((ms) => above(rem, (ms * (c + 1)) / c)).length / times.length;
    return above(likely, this.#p.delta) ? copy : undefined;
  }

  /** 6.1: "restarts or duplicates the task that would benefit the most". */
  #help(books: Books, job: JobBook, slot: Slot, isFull: boolean) {
    const worth: { savedMs: number; text: string; isKnown: boolean }[] = [];
    let isCrowded = false;
    for (const phase of job.phases) {
      if (!phase.ready || phase.kind !== slot.kind || !isWritten(phase)) continue;
      let candidates = 0;
      for (const task of phase.tasks) {
        const period = this.#period(phase);
        const lastAt = this.#lastAt.get(task);
        if (lastAt !== undefined && books.now - lastAt <= period) candidates++;
        const since = this.#since.get(keyOf(task, isFull));
        if (since === undefined || task.attempts.some(({ node }) => node === slot.node)) continue;
        const help = this.#helpFor(books, task, { waits: isFull, node: slot.node });
        if (help !== undefined) worth.push({ ...help, isKnown: books.now - since > period });
      }
      isCrowded ||= candidates > JUDGED_MAX || isHeldBack(phase);
    }
    const known = worth.filter(({ isKnown }) => isKnown);
    const most = isCrowded
      ? Number.NEGATIVE_INFINITY
      : Math.max(...known.map((one) => one.savedMs));
    return {
      worth: worth.filter(({ savedMs }) => !below(savedMs, most)),
      mayBeLeft: isCrowded || known.length === 0,
    };
  }

  /** Called at every event, before its decisions; `asks`: whether slots are judged at the event. */
  watch(books: Books, asks: boolean): void {
    for (const job of books.liveJobs) {
      for (const phase of job.phases) {
        const wasWritten = this.#written.get(phase) ?? false;
        this.#written.set(phase, isWritten(phase));
        // As soon as the input is complete there is a look.
        const isLook = !wasWritten && isWritten(phase);
        for (const task of phase.tasks)
          if (task.attempts.length > 0) this.#watch(books, task, { asks, isLook });
      }
    }
  }

  /** A copy was killed: its task is judged at the next look, not at a report. */
  dropCandidate(task: TaskBook): void {
    this.#since.delete(keyOf(task, true));
    this.#since.delete(keyOf(task, false));
    this.#reportAt.delete(task);
  }

  /** An attempt has begun: its task is judged at its first report. */
  expectReport(task: TaskBook): void {
    this.dropCandidate(task);
    const from = this.#judgedFrom(task);
    if (from !== undefined && isWritten(task.phase)) this.#reportAt.set(task, from);
  }

  #watch(books: Books, task: TaskBook, at: { readonly asks: boolean; readonly isLook: boolean }) {
    const reportAt = this.#reportAt.get(task);
    const isReport = at.asks && reportAt !== undefined && reportAt <= books.now;
    if (isReport) this.#reportAt.delete(task);
    for (const isFull of [true, false]) {
      const key = keyOf(task, isFull);
      const isWorth =
        isWritten(task.phase) && this.#helpFor(books, task, { waits: isFull }) !== undefined;
      if (isWorth) this.#lastAt.set(task, books.now);
      if (!isWorth) this.#since.delete(key);
      else if (isReport || at.isLook) this.#since.set(key, Number.NEGATIVE_INFINITY);
      else if (!this.#since.has(key)) this.#since.set(key, books.now);
    }
  }

  /** Line 3: "kill all but the fastest alpha copies after Delta time has passed since begin". */
  slower(books: Books, task: TaskBook): AttemptBook[] {
    const delta = this.#delta(task);
    return runningOf(task)
      .filter((copy) => books.now >= copy.startedAt + delta)
      .sort((a, b) => timeLeft(books, a) - timeLeft(books, b) || a.id - b.id)
      .slice(this.#p.alpha);
  }

  /** The copies that should have been killed a period ago; call it at every event. */
  overdue(books: Books): AttemptBook[] {
    return books.holding().filter((attempt) => {
      const { task } = attempt;
      const key = `slower ${attempt.id}`;
      const isSlower =
        !isDone(task) && isWritten(task.phase) && this.slower(books, task).includes(attempt);
      if (!isSlower) this.#since.delete(key);
      else if (!this.#since.has(key)) this.#since.set(key, books.now);
      const since = this.#since.get(key);
      return since !== undefined && books.now - since > this.#period(task.phase);
    });
  }

  /** "Periodically": once in the period of the phase's tasks. */
  #period(phase: PhaseBook): number {
    return Math.max(...phase.tasks.map((task) => this.#delta(task)));
  }
}

const keyOf = (task: TaskBook, isFull: boolean): string => `${task.id} ${isFull}`;

/** Tasks that may take the slot, whether or not a better place for them is free. */
const waitingFor = (books: Books, job: JobBook, slot: Slot): TaskBook[] =>
  job.phases
    .filter((phase) => phase.kind === slot.kind && !isHeldBack(phase))
    .flatMap(({ tasks }) => tasks.filter((task) => waits(task) && mayRun(books, task, slot.node)));

/**
 * Line 8: "start the waiting task that has the largest data to read", phase by phase. 6.1: it goes
 * to a place that it prefers if a slot is free there, otherwise to the first slot.
 */
function largestFirst(
  books: Books,
  waiting: readonly TaskBook[],
  slot: Slot,
): TaskBook | undefined {
  const here = waiting.filter((task) => !isPreferredElsewhere(books, task, slot));
  const phase = here[0]?.phase;
  return largest(
    here.filter((task) => task.phase === phase),
    (task) => task.waitsWith ?? inputBytes(task),
  );
}

function isPreferredElsewhere(books: Books, task: TaskBook, { node, kind }: Slot): boolean {
  const prefers = task.prefers ?? { nodes: task.replicas, racks: [] };
  const isPlace = (one: NodeBook) =>
    prefers.nodes.includes(one.id) || prefers.racks.includes(one.rack);
  if ((prefers.nodes.length === 0 && prefers.racks.length === 0) || isPlace(node)) return false;
  return books.joined.some(
    (other) =>
      isPlace(other) &&
      other.held[kind] > 0 &&
      !isClosed(books, task.phase.job, other) &&
      mayRun(books, task, other),
  );
}

/** A phase leaves the slots to what it reads, directly or not, while that waits for them. */
const isHeldBack = (phase: PhaseBook): boolean =>
  sourcesOf(phase).some((one) => one.kind === phase.kind && one.tasks.some(waits));

const sourcesOf = ({ reads }: PhaseBook): PhaseBook[] => [...reads, ...reads.flatMap(sourcesOf)];

/** A failed task is tried on other nodes while there are any. */
function mayRun(books: Books, task: TaskBook, node: NodeBook): boolean {
  const failed = failedOn(task);
  return !failed.has(node) || openTo(books, task).every((other) => failed.has(other));
}
