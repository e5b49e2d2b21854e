import type { Instant } from "../model/ids.ts";
import { scoreAt } from "./progress.ts";
import { runningTasksOf } from "./running.ts";
import type { NodeRecord, PhaseRecord, TaskRecord } from "./state.ts";

/** The mean score of the phase's tasks, each by its best attempt. */
export function meanScore(phase: PhaseRecord, now: Instant): number {
  let sum = phase.done - phase.recomputing;
  for (const task of runningTasksOf(phase)) if (task.needed) sum += bestScore(task, now);
  return sum / phase.size;
}

/** The sum of the scores of all attempts that succeeded or run on the node. */
export function nodeScore({ running, succeeded }: NodeRecord, now: Instant): number {
  let sum = succeeded;
  for (const attempt of running) sum += scoreAt(attempt, now);
  return sum;
}

/** The score of the attempt that is furthest. */
function bestScore(task: TaskRecord, now: Instant): number {
  let best = 0;
  for (const attempt of task.attempts) {
    if (attempt.state === "running") best = Math.max(best, scoreAt(attempt, now));
  }
  return best;
}
