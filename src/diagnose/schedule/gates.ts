import { grouped } from "../../base/grouped.ts";
import { cell } from "../../base/rows.ts";
import { endAt } from "../../history/columns.ts";
import type { TraceJob } from "../../history/model.ts";
import { attemptsOf, type Gate, type PlannedAttempts, ROLE } from "./planned.ts";

/**
 * Each phase is ready when as many tasks of the phases that it reads are done as in the record, and
 * the recorded gap has passed. An attempt that began before all of them were done also waits for
 * the rest: its barrier.
 */
export function gatesOf(plan: PlannedAttempts): {
  readonly gates: readonly Gate[];
  readonly readyGate: Int32Array;
  readonly barrier: Int32Array;
} {
  const { job } = plan;
  const ends = endsOfTasks(plan);
  const bySpan = grouped([...job.phases.keys()], (phase) => cell(job.phases[phase]).span);
  const gates: Gate[] = [];
  const readyGate = new Int32Array(job.phases.length).fill(-1);
  const barrier = new Int32Array(plan.count).fill(-1);
  const barrierOf = new Map<number, { readonly gate: number; readonly at: number }>();
  for (const [index, phase] of job.phases.entries()) {
    const firstStart = phase.attempts.startedAt[0] ?? phase.submittedAt ?? job.submittedAt;
    const from = Math.min(phase.submittedAt ?? firstStart, firstStart);
    const reads = readsOf(job, index, { bySpan, ends }, from);
    const needs = reads
      .map((read) => ({ phase: read, count: countBy(cell(ends[read]), from) }))
      .filter(({ count }) => count > 0);
    const reached = needs.map((need) => cell(cell(ends[need.phase])[need.count - 1]));
    readyGate[index] = gates.length;
    const gapMs = reached.length === 0 ? from : from - Math.max(...reached);
    gates.push({ needs, gapMs, at: from });
    const whole = phase.reads
      .map((read) => ({ phase: read.phase, count: cell(ends[read.phase]).length }))
      .filter(({ count }) => count > 0);
    const isPartial = whole.some((need) => need.count > countBy(cell(ends[need.phase]), from));
    if (!isPartial) continue;
    const at = Math.max(...whole.map((need) => cell(cell(ends[need.phase]).at(-1))));
    barrierOf.set(index, { gate: gates.length, at });
    gates.push({ needs: whole, gapMs: 0, at });
  }
  for (let i = 0; i < plan.count; i++) {
    const found = barrierOf.get(cell(plan.phase[i]));
    const isHeld = found !== undefined && cell(plan.start[i]) < found.at;
    if (isHeld && cell(plan.end[i]) >= found.at) barrier[i] = found.gate;
  }
  return { gates, readyGate, barrier };
}

/** The phases that this one waits for: those it reads, else those of the jobs before its own. */
function readsOf(
  job: TraceJob,
  index: number,
  { bySpan, ends }: Known,
  from: number,
): readonly number[] {
  const { reads, span } = cell(job.phases[index]);
  if (reads.length > 0) return reads.map(({ phase }) => phase);
  // A first stage of a Spark job follows the latest job before it that had ended by then.
  for (let before = span - 1; before >= 0; before--) {
    const done = (bySpan.get(before) ?? []).filter(
      (phase) => (cell(ends[phase]).at(-1) ?? Number.POSITIVE_INFINITY) <= from,
    );
    if (done.length > 0) return done;
  }
  return [];
}

interface Known {
  /** Phases by the span in which they were submitted. */
  readonly bySpan: ReadonlyMap<number, readonly number[]>;
  /** When the tasks of each phase were done. */
  readonly ends: readonly Float64Array[];
}

/** By phase: when each of its tasks that ran was done, rising. */
function endsOfTasks(plan: PlannedAttempts): readonly Float64Array[] {
  const { count, tasks, firstTask } = plan;
  const succeeded = new Float64Array(tasks).fill(Number.POSITIVE_INFINITY);
  const last = new Float64Array(tasks).fill(Number.NEGATIVE_INFINITY);
  for (let i = 0; i < count; i++) {
    const task = cell(plan.task[i]);
    const end = cell(plan.end[i]);
    last[task] = Math.max(cell(last[task]), end);
    const isSuccess = endAt(attemptsOf(plan, i), cell(plan.row[i])) === "succeeded";
    const isOfUse = isSuccess && plan.role[i] === ROLE.finishes;
    if (isOfUse) succeeded[task] = Math.min(cell(succeeded[task]), end);
  }
  // A task without a success is done with its last attempt.
  const ends = succeeded.map((end, task) => (Number.isFinite(end) ? end : cell(last[task])));
  return plan.job.phases.map((_, phase) =>
    ends
      .slice(firstTask[phase], firstTask[phase + 1])
      .filter((end) => Number.isFinite(end))
      .sort(),
  );
}

/** How many of the rising values are at most `limit`. */
function countBy(rising: Float64Array, limit: number): number {
  const after = rising.findIndex((value) => value > limit);
  return after === -1 ? rising.length : after;
}
