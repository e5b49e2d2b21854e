import { cell } from "../../base/rows.ts";
import { endAt, kindAt, slotMsAt, type TraceEnd } from "../../history/columns.ts";
import { TRACE_PHASE_KINDS, type TraceJob, type TracePhase } from "../../history/model.ts";
import type { AttemptKind } from "../../model/attempt.ts";
import { gatesOf } from "./gates.ts";
import { attemptsOf, type Plan, type PlannedAttempts, ROLE, type SlotPools } from "./planned.ts";

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
    role: new Uint8Array(count),
    lostRace: new Uint8Array(count),
    lag: new Float64Array(count),
    after: ints(),
    beside: ints(),
    offset: new Float64Array(count),
  };
  for (const [i, [phase, row]] of order.entries()) {
    const { attempts } = cell(job.phases[phase]);
    base.task[i] = cell(firstTask[phase]) + cell(attempts.task[row]);
    base.start[i] = cell(attempts.startedAt[row]);
    base.end[i] = cell(attempts.endedAt[row]);
  }
  relate(base);
  const { gates, readyGate, barrier } = gatesOf(base);
  return { ...base, gates, readyGate, barrier, ...slotPools(base) };
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

/** Finds each attempt's role in its task, and the attempt that it followed. */
function relate(plan: PlannedAttempts): void {
  const ofTask: number[][] = Array.from({ length: plan.tasks }, () => []);
  for (let i = 0; i < plan.count; i++) ofTask[cell(plan.task[i])]?.push(i);
  for (const attempts of ofTask) relateTask(plan, attempts);
}

function relateTask(plan: PlannedAttempts, attempts: readonly number[]): void {
  const { start, end } = plan;
  const at = (column: Float64Array, i: number): number => cell(column[i]);
  const isLost = (i: number): boolean =>
    attempts.some((j) => isRecompute(plan, j) && at(start, j) >= at(end, i));
  const winner = attempts
    .filter((i) => endOf(plan, i) === "succeeded" && !isLost(i))
    .reduce((a, b) => (a < 0 || at(end, b) < at(end, a) ? b : a), -1);
  for (const [nth, i] of attempts.entries()) {
    const how = endOf(plan, i);
    const overlaps = winner >= 0 && i !== winner && at(start, i) < at(end, winner);
    const lost = overlaps && how !== "failed" && how !== "lost" && lags(plan, i, winner);
    plan.lostRace[i] = lost ? 1 : 0;
    if (lost) plan.lag[i] = at(end, i) - at(end, winner);
    const isOfUse = how === "succeeded" ? !isLost(i) : how === "cut-off";
    plan.role[i] = lost || isOfUse ? ROLE.finishes : ROLE.fails;
    const before = attempts.slice(0, nth);
    // A copy runs beside the earliest attempt that had not ended yet.
    const running = before.find((j) => at(end, j) > at(start, i));
    const ended = before.filter((j) => at(end, j) <= at(start, i));
    if (running !== undefined) {
      plan.beside[i] = running;
      plan.offset[i] = at(start, i) - at(start, running);
    } else if (ended.length > 0) {
      plan.after[i] = ended.reduce((a, b) => (at(end, b) >= at(end, a) ? b : a));
    }
  }
}

/** The attempt recomputed the lost output of an earlier success. */
export const isRecompute = (plan: PlanRows, i: number): boolean =>
  kindOf(plan, i) === "recompute" && endOf(plan, i) === "succeeded";

/** Killed attempts end after their winner, or so little before it that clocks explain it. */
const KILL_EARLY_MS = 10_000;

const lags = ({ end }: PlannedAttempts, loser: number, winner: number): boolean =>
  cell(end[loser]) >= cell(end[winner]) - KILL_EARLY_MS;

type PlanRows = Pick<Plan, "job" | "phase" | "row">;

export const endOf = (plan: PlanRows, i: number): TraceEnd =>
  endAt(attemptsOf(plan, i), cell(plan.row[i]));

export const slotMsOf = (plan: PlanRows, i: number): number =>
  slotMsAt(attemptsOf(plan, i), cell(plan.row[i]));

/** Why the attempt ran. */
export const kindOf = (plan: PlanRows, i: number): AttemptKind =>
  kindAt(attemptsOf(plan, i), cell(plan.row[i]));

/** One pool for each kind of phase; Spark's is fed by the cores of its executors. */
function slotPools(plan: PlannedAttempts): {
  readonly pool: Int32Array;
  readonly pools: SlotPools;
} {
  const { job } = plan;
  const pool = plan.phase.map((phase) => TRACE_PHASE_KINDS.indexOf(cell(job.phases[phase]).kind));
  const recorded = TRACE_PHASE_KINDS.map((kind) => job.slots.filter((slot) => slot.kind === kind));
  const isRecorded = job.slots.length > 0;
  const from = TRACE_PHASE_KINDS.map((_, index) =>
    isRecorded
      ? Float64Array.from(cell(recorded[index]), (slot) => slot.from)
      : new Float64Array(mostAtOnce(plan, pool, index)).fill(Number.NEGATIVE_INFINITY),
  );
  const until = TRACE_PHASE_KINDS.map((_, index) =>
    isRecorded
      ? Float64Array.from(cell(recorded[index]), (slot) => slot.until ?? Number.POSITIVE_INFINITY)
      : new Float64Array(cell(from[index]).length).fill(Number.POSITIVE_INFINITY),
  );
  return { pool, pools: { from, until, isRecorded } };
}

/** A slot that is freed at a moment can be taken at that moment. */
function mostAtOnce({ start, end, count }: PlannedAttempts, pool: Int32Array, of: number): number {
  const chosen = (times: Float64Array): Float64Array =>
    times.filter((_, i) => i < count && pool[i] === of).sort();
  const starts = chosen(start);
  const ends = chosen(end);
  let most = 0;
  let ended = 0;
  for (const [begun, at] of starts.entries()) {
    while (ended < ends.length && cell(ends[ended]) <= at) ended++;
    most = Math.max(most, begun + 1 - ended);
  }
  return most;
}
