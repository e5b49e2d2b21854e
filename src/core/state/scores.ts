import type { Instant } from "../../model/ids.ts";
import { scoreAt } from "../statistics/progress.ts";
import type { AttemptRecord, PhaseRecord, TaskRecord } from "./records.ts";
import { firstRowList } from "./running.ts";
import type { State } from "./state.ts";

/** The mean score of the phase's tasks, each by its best attempt. */
export function meanScore(state: State, phase: PhaseRecord, now: Instant): number {
  let sum = phase.done - phase.recomputing;
  const { attempts } = state;
  for (const row of firstRowList(state, phase)) {
    const attempt = attempts.at(row);
    if (!attempts.table.isShared(row)) sum += runningScore(attempt, now);
    else if (attempt.record.needed) sum += bestScore(attempt.record, now);
  }
  return sum / phase.size;
}

/** The score of the attempt that is furthest. */
function bestScore(task: TaskRecord, now: Instant): number {
  let best = 0;
  for (const attempt of task.attempts) best = Math.max(best, runningScore(attempt, now));
  return best;
}

const runningScore = (attempt: AttemptRecord, now: Instant): number =>
  attempt.state === "running" ? scoreAt(attempt, now) : 0;
