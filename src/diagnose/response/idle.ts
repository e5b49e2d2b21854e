import { cell } from "../../base/rows.ts";
import type { Plan } from "../schedule/planned.ts";
import { isRecompute } from "../schedule/relate.ts";
import { both, outside, type Spans, union, without } from "./spans.ts";

/** The times of the record in which no attempt ran. */
export interface Idle {
  /** The three below together. */
  readonly all: Spans;
  /** No task was due: the driver, or the job's master, worked alone. */
  readonly driver: Spans;
  /** Tasks were due, and no slot existed for them. */
  readonly noSlot: Spans;
  /** Tasks were due, and a slot was free. */
  readonly launching: Spans;
}

/** A plan before it is known when no slot existed. */
export type PlanOfSlots = Omit<Plan, "noSlot">;

/** COST: O(n log n) for n attempts. */
export function idleOf(plan: PlanOfSlots): Idle {
  const { job, start, end, resultMs } = plan;
  const ran = union(
    start,
    end.map((at, i) => at - cell(resultMs[i])),
  );
  const all = outside(ran, job.submittedAt, job.endedAt);
  const due = plan.pools.from.map((_, pool) => dueIn(plan, pool));
  const driver = due.reduce((rest, { first, later }) => without(without(rest, first), later), all);
  const hasSlot = due.map((one, pool) => withSlot(plan, pool, one, all));
  const launching = both(all, allOf(hasSlot));
  return { all, driver, launching, noSlot: without(without(all, driver), launching) };
}

interface Due {
  /** From when a phase could begin to the start of its first attempt. */
  readonly first: Spans;
  /** From when an attempt could begin, in a phase that had begun, to its start. */
  readonly later: Spans;
}

/** When tasks of the pool were due. */
function dueIn(plan: PlanOfSlots, pool: number): Due {
  const later: Moments = { from: [], until: [] };
  const first: Moments = { from: [], until: [] };
  const begun = new Set<number>();
  for (let i = 0; i < plan.count; i++) {
    if (plan.pool[i] !== pool) continue;
    const phase = cell(plan.phase[i]);
    const isFirst = !begun.has(phase);
    begun.add(phase);
    add(isFirst ? first : later, isFirst ? phaseReadyAt(plan, phase) : readyAt(plan, i), plan, i);
  }
  return { first: union(first.from, first.until), later: union(later.from, later.until) };
}

interface Moments {
  readonly from: number[];
  readonly until: number[];
}

function add({ from, until }: Moments, readyAt: number, { start }: PlanOfSlots, i: number): void {
  from.push(readyAt);
  until.push(cell(start[i]));
}

/** When the attempt could first have had a slot; its start if it is a copy, or makes up a loss. */
export function readyAt(plan: PlanOfSlots, i: number): number {
  const { start, end, after, beside, gate, gates } = plan;
  const [previous, original] = [cell(after[i]), cell(beside[i])];
  if (original >= 0 || isRecompute(plan, i)) return cell(start[i]);
  const { at } = cell(gates[cell(gate[i])]);
  return previous >= 0 ? Math.max(cell(end[previous]), at) : at;
}

/** A phase without a recorded submission could begin when what it reads was done. */
function phaseReadyAt({ job, gates, readyGate }: PlanOfSlots, phase: number): number {
  const { at, needs, gapMs } = cell(gates[cell(readyGate[phase])]);
  if (cell(job.phases[phase]).submittedAt !== undefined) return at;
  return needs.length > 0 ? at - gapMs : job.submittedAt;
}

/**
 * When tasks of the pool were due and had a slot. YARN's history names no slots: before the first
 * attempt of a phase, and until a new ApplicationMaster has its first container, there are none.
 */
function withSlot(plan: PlanOfSlots, pool: number, { first, later }: Due, idle: Spans): Spans {
  const { pools, job } = plan;
  if (pools.isRecorded) {
    const slots = union(cell(pools.from[pool]), cell(pools.until[pool]));
    return both(slots, allOf([first, later]));
  }
  const isOfDriver = job.phases.some(({ kind }) => kind === "stage");
  return isOfDriver ? allOf([first, later]) : without(later, restarts(plan, idle));
}

/** The idle times in which a further ApplicationMaster started. */
function restarts({ job }: PlanOfSlots, idle: Spans): Spans {
  const [, ...again] = job.masterStarts ?? [];
  const found: Spans[] = [];
  for (let n = 0; n < idle.length; n += 2) {
    const span = idle.slice(n, n + 2);
    if (again.some((at) => at >= cell(span[0]) && at <= cell(span[1]))) found.push(span);
  }
  return allOf(found);
}

function allOf(sets: readonly Spans[]): Spans {
  const [from, until]: [number[], number[]] = [[], []];
  for (const spans of sets) for (const [n, at] of spans.entries()) (n % 2 ? until : from).push(at);
  return union(from, until);
}
