import { cell } from "../base/rows.ts";
import { medianOf } from "./expect/robust.ts";
import type { Signals } from "./expect/signals.ts";
import type { Plan } from "./schedule/planned.ts";

/** The tasks of a phase that read much more than most. */
export interface Skew {
  /** How many read at least twice the median. */
  readonly tasks: number;
  /** The index of the one that reads most. */
  readonly task: number;
  readonly bytes: number;
  /** Of the phase's tasks. */
  readonly medianBytes: number;
}

const MUCH = 2;

/** The bytes of each task, over all phases; NaN where the log has none. */
export function bytesOfTasks({ tasks, task }: Plan, { bytes }: Signals): Float64Array {
  const byTask = new Float64Array(tasks).fill(Number.NaN);
  for (const [i, own] of task.entries()) byTask[own] = cell(bytes[i]);
  return byTask;
}

/** `bytes`: of the phase's tasks. undefined if one is unknown, or none much above the median. */
export function skewOf(bytes: Float64Array): Skew | undefined {
  if (bytes.length === 0 || bytes.some((value) => Number.isNaN(value))) return undefined;
  const medianBytes = medianOf(bytes);
  const largest = bytes.reduce((a, b, i) => (b > cell(bytes[a]) ? i : a), 0);
  const tasks = bytes.filter((value) => value >= MUCH * medianBytes).length;
  if (tasks === 0 || !(medianBytes > 0)) return undefined;
  return { tasks, task: largest, bytes: cell(bytes[largest]), medianBytes };
}
