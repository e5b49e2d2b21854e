import type { Instant } from "../model/ids.ts";
import { scoreAt } from "./progress.ts";
import type { PhaseRecord, TaskRecord } from "./records.ts";
import { runningTasksOf } from "./running.ts";
import type { State } from "./state.ts";

/** The mean score of the phase's tasks, each by its best attempt. */
export function meanScore(state: State, phase: PhaseRecord, now: Instant): number {
  let sum = phase.done - phase.recomputing;
  for (const task of runningTasksOf(state, phase)) if (task.needed) sum += bestScore(task, now);
  return sum / phase.size;
}

/** The score of the attempt that is furthest. */
function bestScore(task: TaskRecord, now: Instant): number {
  let best = 0;
  for (const attempt of task.attempts) {
    if (attempt.state === "running") best = Math.max(best, scoreAt(attempt, now));
  }
  return best;
}
