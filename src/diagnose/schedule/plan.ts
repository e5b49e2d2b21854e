import { grouped } from "../../base/grouped.ts";
import { cell } from "../../base/rows.ts";
import {
  type SlotSpan,
  TRACE_PHASE_KINDS,
  type TraceJob,
  type TracePhase,
} from "../../history/model.ts";
import { idleOf } from "../response/idle.ts";
import { gatesOf } from "./gates.ts";
import type { Plan, PlannedAttempts, SlotPools } from "./planned.ts";
import { relate } from "./relate.ts";
import { lastingSlots } from "./slots-lost.ts";

/** COST: O(n log n) for n attempts. */
export function planOf(job: TraceJob): Plan {
  const order = inOrder(job.phases);
  const count = order.length;
  const firstTask = new Int32Array(job.phases.length + 1);
  for (const [index, { tasks }] of job.phases.entries()) {
    firstTask[index + 1] = cell(firstTask[index]) + tasks;
  }
  const ints = (): Int32Array => new Int32Array(count).fill(-1);
  const base = {
    job,
    count,
    phase: Int32Array.from(order, ([phase]) => phase),
    row: Int32Array.from(order, ([, row]) => row),
    task: ints(),
    tasks: cell(firstTask[job.phases.length]),
    firstTask,
    start: new Float64Array(count),
    end: new Float64Array(count),
    resultMs: new Float64Array(count),
    role: new Uint8Array(count),
    lostRace: new Uint8Array(count),
    lag: new Float64Array(count),
    after: ints(),
    beside: ints(),
    offset: new Float64Array(count),
    gang: ints(),
  };
  for (const [i, [phase, row]] of order.entries()) {
    const { attempts } = cell(job.phases[phase]);
    base.task[i] = cell(firstTask[phase]) + cell(attempts.task[row]);
    base.start[i] = cell(attempts.startedAt[row]);
    base.end[i] = cell(attempts.endedAt[row]);
    const resultAt = cell(attempts.resultAt[row]);
    if (!Number.isNaN(resultAt)) base.resultMs[i] = cell(base.end[i]) - resultAt;
  }
  relate(base);
  findGangs(base);
  const plan = { ...base, ...gatesOf(base), ...slotPools(base) };
  return { ...plan, noSlot: idleOf(plan).noSlot };
}

/** Phase and row of each attempt, by start; at the same start, earlier phases come first. */
function inOrder(phases: readonly TracePhase[]): readonly (readonly [number, number])[] {
  const all = phases.flatMap(({ attempts }, phase) =>
    Array.from({ length: attempts.length }, (_, row) => [phase, row] as const),
  );
  const start = ([phase, row]: readonly [number, number]): number =>
    cell(cell(phases[phase]).attempts.startedAt[row]);
  // The sort is stable, and columns are in the order of starts.
  return all.sort((a, b) => Math.sign(start(a) - start(b)));
}

/** Each try of a phase whose tasks start together runs all of them. */
function findGangs({ job, phase, count, gang }: PlannedAttempts): void {
  const open = new Map<number, { readonly first: number; left: number }>();
  for (let i = 0; i < count; i++) {
    const { startsTogether = false, tasks } = cell(job.phases[cell(phase[i])]);
    if (!startsTogether) continue;
    let own = open.get(cell(phase[i]));
    if (own === undefined || own.left === 0) {
      own = { first: i, left: tasks };
      open.set(cell(phase[i]), own);
    }
    own.left -= 1;
    gang[i] = own.first;
  }
}

/** One pool for each kind of phase, and for each profile of Spark with executors of its own. */
function slotPools(plan: PlannedAttempts): {
  readonly pool: Int32Array;
  readonly pools: SlotPools;
  readonly takesSlot: Float64Array;
  readonly replacing: ReadonlySet<number>;
} {
  const { job } = plan;
  const { takesSlot, replacing, slots: all } = lastingSlots(plan);
  const isRecorded = job.slots.length > 0;
  const kinds = TRACE_PHASE_KINDS.map((kind): string => kind);
  const known = [...new Set([...kinds, ...job.slots.map(poolName)])];
  const ofPhase = job.phases.map((phase) => {
    const own = known.indexOf(poolName(phase));
    return own < 0 ? kinds.indexOf(phase.kind) : own;
  });
  const pool = plan.phase.map((phase) => cell(ofPhase[phase]));
  const slots = grouped(all, poolName);
  const recorded = known.map((name) => slots.get(name) ?? []);
  const from = recorded.map((own, index) =>
    isRecorded
      ? Float64Array.from(own, (slot) => slot.from)
      : new Float64Array(mostAtOnce(plan, pool, index)).fill(Number.NEGATIVE_INFINITY),
  );
  const ofSlots = (at: (slot: (typeof all)[number]) => number): readonly Float64Array[] =>
    recorded.map((own, index) =>
      isRecorded
        ? Float64Array.from(own, at)
        : new Float64Array(cell(from[index]).length).fill(Number.POSITIVE_INFINITY),
    );
  const until = ofSlots((slot) => slot.until ?? Number.POSITIVE_INFINITY);
  const lastsTo = ofSlots((slot) => slot.lastsTo);
  return { pool, pools: { from, until, lastsTo, isRecorded }, takesSlot, replacing };
}

const poolName = ({ kind, profile = 0 }: Pick<SlotSpan, "kind" | "profile">): string =>
  profile === 0 ? kind : `${kind} of profile ${profile}`;

/** A slot that is freed at a moment can be taken at that moment. */
function mostAtOnce(
  { start, end, resultMs, count }: PlannedAttempts,
  pool: Int32Array,
  of: number,
): number {
  const chosen = (times: Float64Array): Float64Array =>
    times.filter((_, i) => i < count && pool[i] === of).sort();
  const starts = chosen(start);
  const ends = chosen(end.map((at, i) => at - cell(resultMs[i])));
  let most = 0;
  let ended = 0;
  for (const [begun, at] of starts.entries()) {
    while (ended < ends.length && cell(ends[ended]) <= at) ended++;
    most = Math.max(most, begun + 1 - ended);
  }
  return most;
}
