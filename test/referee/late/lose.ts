import {
  type AttemptBook,
  type Books,
  flakyOf,
  isDone,
  isNeeded,
  type JobBook,
  type NodeBook,
  readersOf,
  type TaskBook,
} from "./books.ts";

/**
 * Hadoop 1.2.1: the attempts on a lost node are killed, what it has written is lost, and each job
 * that it has worked for counts a failure. Returns the tasks that run again.
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
  for (const one of books.holding()) if (one.node === node) books.end(one, "killed");
  return [...node.made].flatMap((task) => loseOutput(books, task, node));
}

/** A lost output that is still read is made again at once, and before it what it needs. */
export function loseOutput(books: Books, task: TaskBook, node: NodeBook): TaskBook[] {
  node.made.delete(task);
  if (!task.outputs.delete(node) || task.outputs.size > 0) return [];
  const remade: TaskBook[] = [];
  if (task.everDone && !task.isRemade && isNeeded(task)) {
    task.isRemade = true;
    remade.push(task);
  }
  books.findReady();
  return remade;
}

/** None is counted while a quarter of the nodes that the job knows are flaky. */
export function countFailure(job: JobBook, node: NodeBook): void {
  if (flakyOf(job).length >= 0.25 * job.nodesKnown) return;
  job.failuresOn.set(node, (job.failuresOn.get(node) ?? 0) + 1);
}
