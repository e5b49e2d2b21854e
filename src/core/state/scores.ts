import { assert } from "../../base/assert.ts";
import type { AttemptId } from "../../model/ids.ts";
import { rateAt, scoreAt } from "../statistics/progress.ts";
import type { State } from "./state.ts";

/** The attempt's score now. */
export const scoreOf = (state: State, id: AttemptId): number => scoreOfRow(state, rowOf(state, id));

/** The attempt's score per millisecond since its start. */
export function rateOf(state: State, id: AttemptId): number {
  const { attempts, now } = state;
  const { table } = attempts;
  const row = rowOf(state, id);
  const startedAt = table.startedAt(row);
  if (!table.isRunning(row) || startedAt === undefined) return rateAt(attempts.at(row), now);
  const elapsedMs = now - startedAt;
  return elapsedMs > 0 ? scoreOfRow(state, row) / elapsedMs : 0;
}

/**
 * Thousands of scores are read in one look: where the row has all that the score depends on, no
 * record is made.
 */
export function scoreOfRow(state: State, row: number): number {
  const { attempts, now, silent } = state;
  const { table } = attempts;
  const score = silent.size === 0 && table.isRunning(row) ? table.score(row, now) : Number.NaN;
  return Number.isNaN(score) ? scoreAt(attempts.at(row), now) : score;
}

function rowOf({ attempts }: State, id: AttemptId): number {
  const row = attempts.table.find(id);
  assert(row >= 0, "attempt");
  return row;
}
