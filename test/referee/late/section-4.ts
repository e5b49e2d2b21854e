import { type Kind, MAP } from "../../letter/books.ts";
import {
  type AttemptBook,
  type Books,
  failedOn,
  isDone,
  type JobBook,
  type NodeBook,
  type PhaseBook,
  scoreAt,
  type TaskBook,
  unended,
  waits,
} from "../driven/books.ts";
import { isClosed, openTo } from "../driven/lose.ts";
import { below, largest, percentile, sum } from "../figures.ts";

export interface Slot {
  readonly node: NodeBook;
  readonly kind: Kind;
}

/** Named as `--set` takes them. */
export type Thresholds = Readonly<
  Record<"speculativeCap" | "slowNodeThreshold" | "slowTaskThreshold" | "runtimeMsMin", number>
>;

/** What is done with a slot (2.1, 4). The first job first. */
export function answer(books: Books, p: Thresholds, slot: Slot): string {
  for (const job of books.liveJobs) {
    job.nodesKnown = books.joined.length;
    if (isClosed(books, job, slot.node)) continue;
    const task = waitingFor(books, job, slot);
    if (task !== undefined) return `start task ${task.id}`;
    const copied = job.speculate ? toCopy(books, p, job, slot) : undefined;
    if (copied !== undefined) return `copy task ${copied.id}`;
  }
  return "nothing";
}

/** Section 4: "If a node asks for a new task and there are fewer than SpeculativeCap ...". */
function toCopy(books: Books, p: Thresholds, job: JobBook, slot: Slot): TaskBook | undefined {
  // SpeculativeCap: "a cap on the number of speculative tasks that can be running at once", a share
  // "of available task slots".
  const copies = books
    .holding()
    .filter(({ as, task }) => as === "speculative" && task.phase.kind === slot.kind);
  const available = sum(books.joined.map(({ slots }) => slots[slot.kind]));
  if (copies.length >= p.speculativeCap * available) return undefined;
  // "Ignore the request if the node's total progress is below SlowNodeThreshold."
  const progress = books.joined.map((node) => totalProgress(books, node));
  const slowNode = percentile(progress, p.slowNodeThreshold);
  if (below(totalProgress(books, slot.node), slowNode)) return undefined;
  // "Rank currently running tasks that are not currently being speculated by estimated time left."
  // "Launch a copy of the highest-ranked task with progress rate below SlowTaskThreshold."
  const slow = job.phases
    .filter(({ ready, kind }) => ready && kind === slot.kind)
    .flatMap((phase) => slowIn(books, p, phase))
    .filter(({ task }) => mayHost(task, slot.node))
    .sort((a, b) => a.phase - b.phase || a.id - b.id);
  return largest(slow, ({ leftMs }) => leftMs)?.task;
}

/** Slow attempts: "we also wait until a task has run for 1 minute". */
function slowIn(books: Books, p: Thresholds, phase: PhaseBook) {
  const running = phase.tasks.flatMap((task) =>
    isDone(task) ? [] : task.attempts.filter(({ state }) => state === "running"),
  );
  // An attempt that has run for no time has no rate: T is 0.
  const rated = running.filter((one) => books.elapsed(one) > 0);
  const rates = [...rated, ...successesOf(phase)].map((one) => rate(books, one));
  const threshold = percentile(rates, p.slowTaskThreshold);
  return rated
    .filter(
      (one) =>
        runsAlone(one.task) === one &&
        books.elapsed(one) >= p.runtimeMsMin &&
        below(rate(books, one), threshold),
    )
    .map((one) => ({
      ...{ task: one.task, id: one.id, phase: phase.id, leftMs: timeLeft(books, one) },
    }));
}

/** ProgressScore, as far as it is known: a silent node tells nothing. */
function score({ now, reportEvery }: Books, attempt: AttemptBook): number {
  const heardAt = Math.min(now, attempt.node.silentSince ?? now);
  const ran = Math.max(0, heardAt - attempt.startedAt);
  const told = reportEvery === 0 ? ran : Math.floor(ran / reportEvery) * reportEvery;
  return scoreAt(attempt, attempt.startedAt + told);
}

/** "ProgressScore/T": "we let T be the amount of time the task has been running for". */
const rate = (books: Books, attempt: AttemptBook): number =>
  attempt.state === "succeeded"
    ? 1 / Math.max(1, attempt.endedAt - attempt.startedAt)
    : score(books, attempt) / books.elapsed(attempt);

/** "(1 - ProgressScore)/ProgressRate". */
function timeLeft(books: Books, attempt: AttemptBook): number {
  const left = 1 - score(books, attempt);
  if (left <= 0) return 0;
  const perMs = rate(books, attempt);
  return perMs > 0 ? left / perMs : Number.POSITIVE_INFINITY;
}

/** The task's attempt, if it runs and is the only one: such a task is not being speculated. */
function runsAlone(task: TaskBook): AttemptBook | undefined {
  const [first, second] = unended(task);
  return !isDone(task) && second === undefined && first?.state === "running" ? first : undefined;
}

/** Also those of tasks that run again. */
const successesOf = (phase: PhaseBook): AttemptBook[] =>
  phase.tasks.flatMap(({ attempts }) => attempts.filter(({ state }) => state === "succeeded"));

/** "The sum of progress scores for all succeeded and in-progress tasks on the node." */
const totalProgress = (books: Books, node: NodeBook): number =>
  node.succeeded +
  sum(
    books
      .holding()
      .filter((one) => one.node === node)
      .map((one) => score(books, one)),
  );

/** Not beside its original, and not where it has failed. */
const mayHost = (task: TaskBook, node: NodeBook): boolean =>
  !task.attempts.some(
    (one) => one.node === node && ["running", "dying", "failed"].includes(one.state),
  );

/**
 * 2.1: "First, any failed tasks are given highest priority. Second, non-running tasks are
 * considered. For maps, tasks with data local to the node are chosen first."
 */
function waitingFor(books: Books, job: JobBook, slot: Slot): TaskBook | undefined {
  const place = (task: TaskBook) => {
    if (wasTried(task)) return -1;
    if (task.replicas.includes(slot.node.id)) return 0;
    return task.replicas.some((id) => books.node(id).rack === slot.node.rack) ? 1 : 2;
  };
  return job.phases
    .filter(({ kind }) => kind === slot.kind)
    .flatMap(({ tasks }) => tasks.filter((task) => waits(task) && mayRun(books, task, slot)))
    .sort(
      (a, b) =>
        place(a) - place(b) ||
        a.phase.id - b.phase.id ||
        (wasTried(a) ? b.failures - a.failures : 0) ||
        a.id - b.id,
    )[0];
}

/** Failed tasks, and maps that run again. */
const wasTried = (task: TaskBook): boolean =>
  task.failures > 0 || (task.phase.kind === MAP && task.attempts.length > 0);

/** Not where it has failed, unless it has failed on as many nodes as could run it. */
function mayRun(books: Books, task: TaskBook, { node }: Slot): boolean {
  const failed = failedOn(task);
  return !failed.has(node) || failed.size >= openTo(books, task).length;
}
