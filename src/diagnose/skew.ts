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

/** undefined if the bytes of a task are unknown, or no task reads much more than the median. */
export function skewOf(plan: Plan, { bytes }: Signals, of: number): Skew | undefined {
  const { firstTask, phase, task } = plan;
  const first = cell(firstTask[of]);
  const byTask = new Float64Array(cell(firstTask[of + 1]) - first).fill(Number.NaN);
  for (const [i, each] of phase.entries()) {
    if (each === of) byTask[cell(task[i]) - first] = cell(bytes[i]);
  }
  if (byTask.length === 0 || byTask.some((value) => Number.isNaN(value))) return undefined;
  const medianBytes = medianOf(byTask);
  const largest = byTask.reduce((a, b, i) => (b > cell(byTask[a]) ? i : a), 0);
  const tasks = byTask.filter((value) => value >= MUCH * medianBytes).length;
  if (tasks === 0 || !(medianBytes > 0)) return undefined;
  return { tasks, task: largest, bytes: cell(byTask[largest]), medianBytes };
}
