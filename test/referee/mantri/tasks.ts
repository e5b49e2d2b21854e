import {
  type AttemptBook,
  type Books,
  isDone,
  type PhaseBook,
  type TaskBook,
  waits,
} from "../driven/books.ts";

export const runningOf = (task: TaskBook): AttemptBook[] =>
  task.attempts.filter(({ state }) => state === "running");

export const isWritten = (phase: PhaseBook): boolean =>
  phase.reads.every((read) => read.tasks.every(isDone));

/** d: the bytes to read; of a reader, the parts that are there. */
export function inputBytes({ bytes, index, phase: { reads } }: TaskBook): number {
  if (reads.length === 0) return bytes;
  return reads
    .flatMap(({ tasks }) => tasks)
    .reduce((sum, read) => sum + (read.outputs.size > 0 ? (read.parts[index] ?? 0) : 0), 0);
}

/** Notes the data of the tasks that begin to wait. */
export function noteWaiting({ liveJobs }: Books): void {
  for (const { tasks } of liveJobs.flatMap(({ phases }) => phases)) {
    for (const task of tasks) {
      task.waitsWith = waits(task) ? (task.waitsWith ?? inputBytes(task)) : undefined;
    }
  }
}

/** How long the attempt that made the output ran. */
export function ranMs({ attempts }: TaskBook): number {
  const last = attempts.findLast(({ state }) => state === "succeeded");
  return last === undefined ? 0 : last.endedAt - last.startedAt;
}
