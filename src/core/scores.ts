import type { Instant } from "../model/ids.ts";
import type { KnownAttempts } from "./known-attempts.ts";
import type { NodeRecord } from "./node-record.ts";
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

/** The sum of the scores of all attempts that succeeded or run on the node. */
export function nodeScore(
  attempts: KnownAttempts,
  { running, succeeded }: NodeRecord,
  now: Instant,
): number {
  let sum = succeeded;
  for (const row of running) sum += scoreAt(attempts.at(row), now);
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
