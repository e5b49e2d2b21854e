import { cell } from "../../base/rows.ts";
import { endAt } from "../../history/columns.ts";
import type { TraceJob, TracePhase } from "../../history/model.ts";
import { medianOf } from "../expect/robust.ts";

/** A task of both runs: how long its winner took, and what its phase's tasks take. */
export interface MatchedTask {
  /** `phase/index`. */
  readonly task: string;
  readonly aMs: number;
  readonly bMs: number;
  readonly aExpectedMs: number;
  readonly bExpectedMs: number;
}

/**
 * Phases match by their order among those with the same title or name; tasks by their index, where
 * both phases have the same number of them.
 */
export function matchTasks(
  a: TraceJob,
  b: TraceJob,
): { readonly matched: readonly MatchedTask[]; readonly unmatched: number } {
  const left = new Map<string, TracePhase[]>();
  for (const phase of b.phases) {
    const list = left.get(keyOf(phase)) ?? [];
    list.push(phase);
    left.set(keyOf(phase), list);
  }
  const matched: MatchedTask[] = [];
  let unmatched = 0;
  for (const phase of a.phases) {
    const other = left.get(keyOf(phase))?.shift();
    if (other === undefined || other.tasks !== phase.tasks) {
      unmatched += phase.tasks;
      continue;
    }
    const [times, others] = [timesOf(phase), timesOf(other)];
    const [usual, otherUsual] = [usualOf(times), usualOf(others)];
    for (const [index, aMs] of times.entries()) {
      const bMs = cell(others[index]);
      if (Number.isNaN(aMs) || Number.isNaN(bMs)) unmatched += 1;
      else {
        const task = `${phase.name}/${index}`;
        matched.push({ task, aMs, bMs, aExpectedMs: usual, bExpectedMs: otherUsual });
      }
    }
  }
  return { matched, unmatched };
}

/** Stages of Spark have other numbers in each run, and the same titles. */
export const keyOf = ({ name, title, kind }: TracePhase): string =>
  kind === "stage" ? (title ?? name) : name;

/** The duration of each task's first success; NaN if there is none. */
function timesOf({ tasks, attempts }: TracePhase): Float64Array {
  const times = new Float64Array(tasks).fill(Number.NaN);
  for (let row = 0; row < attempts.length; row++) {
    const task = cell(attempts.task[row]);
    if (endAt(attempts, row) !== "succeeded" || !Number.isNaN(cell(times[task]))) continue;
    times[task] = cell(attempts.endedAt[row]) - cell(attempts.startedAt[row]);
  }
  return times;
}

function usualOf(times: Float64Array): number {
  const known = times.filter((time) => !Number.isNaN(time));
  return known.length === 0 ? Number.NaN : medianOf(known);
}
