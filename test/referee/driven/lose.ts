import type { Kind } from "../../letter/books.ts";
import {
  type AttemptBook,
  type Books,
  isDone,
  isNeeded,
  type JobBook,
  type NodeBook,
  readersOf,
  type TaskBook,
} from "./books.ts";

/**
 * Hadoop 1.2.1: the attempts on a lost node are killed, and each job that it has worked for counts
 * a failure. Returns the tasks whose output the node had.
 */
export function loseNode(books: Books, node: NodeBook): TaskBook[] {
  for (const job of books.liveJobs) {
    const isLoss = ({ node: on, task }: AttemptBook) =>
      on === node && task.phase.job === job && (!isDone(task) || readersOf(task.phase).length > 0);
    const worked =
      books.holding().some(isLoss) || [...node.made].some(({ phase }) => phase.job === job);
    if (worked) countFailure(job, node);
  }
  node.joined = false;
  node.silentSince = undefined;
  node.held.fill(0);
  books.endAllOn(node);
  return [...node.made];
}

/** Returns whether it was the last copy of the output. */
export function loseCopy(task: TaskBook, node: NodeBook): boolean {
  node.made.delete(task);
  return task.outputs.delete(node) && task.outputs.size === 0;
}

/** A lost output that is still read is made again, and with it the lost ones that this needs. */
export function remake(task: TaskBook, recomputes: TaskBook[]): void {
  if (!task.everDone || task.isRemade || !isNeeded(task)) return;
  task.isRemade = true;
  recomputes.push(task);
  for (const read of task.phase.reads.flatMap(({ tasks }) => tasks)) {
    if (read.everDone && read.outputs.size === 0) remake(read, recomputes);
  }
}

const FAILURES_MAX = 4;

/** The nodes on which the job has failed too often. */
const flakyOf = ({ failuresOn }: JobBook): NodeBook[] =>
  [...failuresOn].filter(([, failures]) => failures >= FAILURES_MAX).map(([node]) => node);

/** None is counted while a quarter of the nodes that the job knows are flaky. */
export function countFailure(job: JobBook, node: NodeBook): void {
  if (flakyOf(job).length >= 0.25 * job.nodesKnown) return;
  job.failuresOn.set(node, (job.failuresOn.get(node) ?? 0) + 1);
}

/** The job's blacklist: four of its failures, while fewer than a quarter of the nodes are flaky. */
export function isClosed(books: Books, job: JobBook, node: NodeBook): boolean {
  const flaky = flakyOf(job);
  if (!flaky.includes(node) || flaky.length >= 0.25 * books.joined.length) return false;
  // Some other node must have slots of each kind that the node has.
  return node.slots.every(
    (count, kind) =>
      count === 0 ||
      books.joined.some((other) => !flaky.includes(other) && other.slots[kind as Kind] > 0),
  );
}

/** The nodes that may run the task, wherever it has failed. */
export const openTo = (books: Books, { phase }: TaskBook): NodeBook[] =>
  books.joined.filter((node) => node.slots[phase.kind] > 0 && !isClosed(books, phase.job, node));
