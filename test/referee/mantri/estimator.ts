import type { Estimator } from "../../../src/policy/index.ts";
import {
  type AttemptBook,
  type Books,
  type NodeBook,
  scoreAt,
  type TaskBook,
} from "../driven/books.ts";
import { usualMs } from "../driven/world.ts";

/** t_rem, by the average speed so far. */
export function timeLeft(books: Books, attempt: AttemptBook): number {
  const score = scoreAt(attempt, books.now);
  if (score >= 1) return 0;
  return score > 0 ? (books.elapsed(attempt) * (1 - score)) / score : Number.POSITIVE_INFINITY;
}

/** t_new, by its likely values: the work of the task, the machine and the path to the data. */
export function newCopyMs(task: TaskBook, node?: NodeBook): number[] {
  const isNear =
    task.replicas.length === 0 || node === undefined || task.replicas.includes(node.id);
  const place = (isNear ? 1 : 1.3) / (node?.speed ?? 1);
  return [0.8, 1, 1.25, 2].map((luck) => usualMs(task) * luck * place);
}

/** t_rem and t_new of the world itself, so that 5.1 is judged apart from 5.5. */
export const estimatorOf = (books: Books): Estimator<object, null> => ({
  name: "own-estimates",
  source: "test/referee",
  params: {},
  needs: [],
  steady: false,
  remember: () => null,
  timeLeft(_ctx, id) {
    const attempt = books.attempts.get(id);
    return attempt === undefined ? Number.POSITIVE_INFINITY : timeLeft(books, attempt);
  },
  newCopy: (_ctx, id, on) => ({
    kind: "samples",
    rising: newCopyMs(books.task(id), on === undefined ? undefined : books.node(on)),
  }),
});
