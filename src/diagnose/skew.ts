import { cell } from "../base/rows.ts";
import type { Signals } from "./expect/signals.ts";
import type { Plan } from "./schedule/planned.ts";

/** The largest tasks of a phase, and their share of the bytes that the phase reads. */
export interface Largest {
  readonly tasks: number;
  readonly share: number;
}

const TASKS_MAX = 3;

/**
 * The one, two or three largest tasks, whichever number exceeds an even share the most. undefined
 * if the bytes of a task are unknown.
 */
export function largestOf({ firstTask, phase, task }: Plan, { bytes }: Signals, of: number) {
  const first = cell(firstTask[of]);
  const byTask = new Float64Array(cell(firstTask[of + 1]) - first).fill(Number.NaN);
  for (const [i, each] of phase.entries()) {
    if (each === of) byTask[cell(task[i]) - first] = cell(bytes[i]);
  }
  const total = byTask.reduce((sum, value) => sum + value, 0);
  if (!(total > 0)) return undefined;
  const falling = byTask.toSorted().reverse();
  let best: Largest | undefined;
  let sum = 0;
  let most = 0;
  for (let tasks = 1; tasks <= Math.min(TASKS_MAX, falling.length); tasks++) {
    sum += cell(falling[tasks - 1]);
    const above = sum / total - tasks / falling.length;
    if (above <= most) continue;
    most = above;
    best = { tasks, share: sum / total };
  }
  return best;
}
