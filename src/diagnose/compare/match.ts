import { grouped } from "../../base/grouped.ts";
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
 * Of each phase of A, the index of the phase of B that it matches; -1 if there is none. Phases
 * match by their order among those of the same title or name, if they have the same number of
 * tasks.
 */
export function matchPhases(a: TraceJob, b: TraceJob): readonly number[] {
  const ofKey = grouped([...b.phases.keys()], (phase) => keyOf(cell(b.phases[phase])));
  const seen = new Map<string, number>();
  return a.phases.map((phase) => {
    const key = keyOf(phase);
    const nth = seen.get(key) ?? 0;
    seen.set(key, nth + 1);
    const other = ofKey.get(key)?.[nth] ?? -1;
    return b.phases[other]?.tasks === phase.tasks ? other : -1;
  });
}

/** Tasks match by their index, where their phases do. */
export function matchTasks(
  a: TraceJob,
  b: TraceJob,
): { readonly matched: readonly MatchedTask[]; readonly unmatched: number } {
  const others = matchPhases(a, b);
  const matched: MatchedTask[] = [];
  let unmatched = 0;
  for (const [nth, phase] of a.phases.entries()) {
    const other = b.phases[cell(others[nth])];
    if (other === undefined) {
      unmatched += phase.tasks;
      continue;
    }
    const [times, otherTimes] = [timesOf(phase), timesOf(other)];
    const [usual, otherUsual] = [usualOf(times), usualOf(otherTimes)];
    for (const [index, aMs] of times.entries()) {
      const bMs = cell(otherTimes[index]);
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
