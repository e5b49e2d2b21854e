import type { AttemptBook, Books, NodeBook, TaskBook } from "./books.ts";
import { mean } from "./figures.ts";

/** Line 1 of Pseudocode 1: ten reports in a life, of 10 s at most. The task's own. */
export const deltaOf = (books: Books, task: TaskBook): number =>
  Math.min(10_000, mean(newCopyMs(books, task)) / 10);

/** t_new, by its likely values: the size of the task, and how slow the node is. */
export function newCopyMs(books: Books, task: TaskBook, node?: NodeBook): number[] {
  const usual = books.usualMs[task.phase.job.id] ?? 60_000;
  const size = 0.5 + task.bytes / (128 * 1_048_576);
  return [0.8, 1, 1.25, 2].map((luck) => (usual * size * luck) / (node?.speed ?? 1));
}

/**
 * t_rem. In a world on the edge it exceeds the mean of t_new by a whole number of periods, so that
 * lines 6 and 10 compare equal numbers.
 */
export function timeLeft(books: Books, attempt: AttemptBook): number {
  const leftMs = books.timeLeft(attempt);
  if (!books.isOnTheEdge) return leftMs;
  const delta = deltaOf(books, attempt.task);
  const copyMs = mean(newCopyMs(books, attempt.task));
  const periods = Math.round((leftMs - copyMs) / delta);
  return periods > 0 && periods < 8 ? copyMs + periods * delta : leftMs;
}
