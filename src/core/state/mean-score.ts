import type { PhaseRecord, TaskRecord } from "./records.ts";
import { firstRowsOf } from "./running.ts";
import { scoreOfRow } from "./scores.ts";
import type { State } from "./state.ts";

/** The mean score of the phase's tasks, each by its best attempt. */
export function meanScore(state: State, phase: PhaseRecord): number {
  let sum = phase.done - phase.recomputing;
  const { attempts } = state;
  const { table } = attempts;
  for (const row of firstRowsOf(state, phase).rows) {
    if (!table.isShared(row)) sum += runningScore(state, row);
    else {
      const task = attempts.at(row).record;
      if (task.needed) sum += bestScore(state, task);
    }
  }
  return sum / phase.size;
}

/** The score of the attempt that is furthest. */
function bestScore(state: State, task: TaskRecord): number {
  let best = 0;
  for (const { row } of task.attempts) best = Math.max(best, runningScore(state, row));
  return best;
}

const runningScore = (state: State, row: number): number =>
  state.attempts.table.isRunning(row) ? scoreOfRow(state, row) : 0;
