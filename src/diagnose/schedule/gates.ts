import { grouped } from "../../base/grouped.ts";
import { cell } from "../../base/rows.ts";
import { endOf, type Gate, type PlannedAttempts, ROLE } from "./planned.ts";

/**
 * Each phase is ready when as many tasks of the phases that it reads are done as in the record, and
 * the recorded gap has passed. An attempt that began before all of them were done also waits for
 * the rest: its barrier.
 */
export function gatesOf(plan: PlannedAttempts): {
  readonly gates: readonly Gate[];
  readonly readyGate: Int32Array;
  readonly gate: Int32Array;
  readonly barrier: Int32Array;
} {
  const { job } = plan;
  const ends = endsOfTasks(plan);
  const done = new DoneTasks(plan, ends);
  const bySpan = grouped([...job.phases.keys()], (phase) => cell(job.phases[phase]).span);
  const gates: Gate[] = [];
  const readyGate = new Int32Array(job.phases.length).fill(-1);
  const barrier = new Int32Array(plan.count).fill(-1);
  /** Of later tries of phases: from when on their attempts run, rising by phase. */
  const tryGates: { readonly phase: number; readonly from: number; readonly gate: number }[] = [];
  const barrierOf = new Map<number, { readonly gate: number; readonly at: number }>();
  for (const [index, phase] of job.phases.entries()) {
    const firstStart = phase.attempts.startedAt[0] ?? phase.submittedAt ?? job.submittedAt;
    const from = Math.min(phase.submittedAt ?? firstStart, firstStart);
    readyGate[index] = gates.length;
    const known = { bySpan, ends };
    const reads = phase.reads.map((read) => read.phase);
    gates.push(done.gateAt(from, reads.length > 0 ? reads : before(phase.span, known, from)));
    for (const later of phase.laterTries ?? []) {
      const { submittedAt, span } = later;
      tryGates.push({ phase: index, from: submittedAt, gate: gates.length });
      gates.push(done.gateAt(submittedAt, before(span, known, submittedAt)));
    }
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
  const gate = plan.phase.map((phase) => cell(readyGate[phase]));
  for (const { phase, from, gate: own } of tryGates) {
    for (let i = 0; i < plan.count; i++) {
      if (plan.phase[i] === phase && cell(plan.start[i]) >= from) gate[i] = own;
    }
  }
  return { gates, readyGate, gate, barrier };
}

/** The phases of the latest Spark job before this one that had ended by then. */
function before(span: number, { bySpan, ends }: Known, from: number): readonly number[] {
  for (let earlier = span - 1; earlier >= 0; earlier--) {
    const done = (bySpan.get(earlier) ?? []).filter(
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
    const isOfUse = endOf(plan, i) === "succeeded" && plan.role[i] === ROLE.finishes;
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

/** A task whose output was lost counts as done until it runs again. */
interface LostOutput {
  readonly at: number;
  readonly until: number;
}

/** Which tasks of each phase were done by a moment. */
class DoneTasks {
  readonly #ends: readonly Float64Array[];
  readonly #lost: readonly (readonly LostOutput[])[];

  constructor(plan: PlannedAttempts, ends: readonly Float64Array[]) {
    this.#ends = ends;
    this.#lost = lostOutputs(plan);
  }

  /** The gate that was reached at that time, once these phases were as far as they were then. */
  gateAt(from: number, phases: readonly number[]): Gate {
    const done = phases.map((phase) => ({ phase, ...this.#by(phase, from) }));
    const needs = done.filter(({ count }) => count > 0);
    const gapMs = needs.length === 0 ? from : from - Math.max(...needs.map(({ last }) => last));
    return { needs: needs.map(({ phase, count }) => ({ phase, count })), gapMs, at: from };
  }

  #by(phase: number, from: number): { readonly count: number; readonly last: number } {
    const ends = cell(this.#ends[phase]);
    const whole = countBy(ends, from);
    const lost = cell(this.#lost[phase]).filter(({ at, until }) => at <= from && until > from);
    const last = whole === 0 ? Number.NEGATIVE_INFINITY : cell(ends[whole - 1]);
    return {
      count: whole + lost.length,
      last: lost.reduce((most, { at }) => Math.max(most, at), last),
    };
  }
}

function lostOutputs(plan: PlannedAttempts): readonly (readonly LostOutput[])[] {
  const found = plan.job.phases.map((): LostOutput[] => []);
  const latest = new Map<number, number>();
  for (let i = plan.count - 1; i >= 0; i--) {
    const task = cell(plan.task[i]);
    const next = latest.get(task);
    const isLost = endOf(plan, i) === "succeeded" && plan.role[i] === ROLE.fails;
    if (isLost && next !== undefined) {
      found[cell(plan.phase[i])]?.push({ at: cell(plan.end[i]), until: next });
    }
    latest.set(task, cell(plan.start[i]));
  }
  return found;
}
