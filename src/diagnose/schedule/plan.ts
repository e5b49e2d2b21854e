import { defined } from "../../base/assert.ts";
import { endAt, kindAt } from "../../trace/columns.ts";
import type { TraceJob, TracePhase } from "../../trace/model.ts";
import { type Gate, gatesOf } from "./gates.ts";
import { type SlotPools, slotPools } from "./slot-pools.ts";

/** What the end of an attempt means for its task. */
export const ROLE = {
  /** The task is done when the attempt ends, unless another attempt was first. */
  finishes: 0,
  /** The attempt ends without a result: it failed, was lost, or was killed for another reason. */
  fails: 1,
} as const;

/**
 * The attempts of a job in the order of their starts, and the rules from which their starts and
 * ends follow (design of the diagnosis, section 4). Times in ms since the trace's origin.
 */
export interface Plan {
  readonly job: TraceJob;
  readonly count: number;
  /** Index of the attempt's phase, and its row among the phase's attempts. */
  readonly phase: Int32Array;
  readonly row: Int32Array;
  /** Number of the attempt's task, over all phases. */
  readonly task: Int32Array;
  readonly tasks: number;
  /** The first task of each phase; the last value is `tasks`. */
  readonly firstTask: Int32Array;
  readonly start: Float64Array;
  readonly end: Float64Array;
  readonly pool: Int32Array;
  readonly role: Uint8Array;
  /** 1 if the attempt was killed because another attempt of its task succeeded. */
  readonly lost: Uint8Array;
  /** Of a losing attempt: its end after the end of the winner. */
  readonly lag: Float64Array;
  /** The attempt after whose end this one is ready; -1 if none: the phase's gate counts. */
  readonly after: Int32Array;
  /** The attempt beside which this one is a copy; -1 if it is no copy. */
  readonly beside: Int32Array;
  /** The time of a copy's start after its original's start. */
  readonly offset: Float64Array;
  /** The phase's gate that the attempt waited for after its start; -1 if there was none. */
  readonly barrier: Int32Array;
  readonly gates: readonly Gate[];
  /** The gate at which each phase is ready. */
  readonly readyGate: Int32Array;
  readonly pools: SlotPools;
}

/** COST: O(n log n) for n attempts. */
export function planOf(job: TraceJob): Plan {
  const order = inOrder(job.phases);
  const count = order.length;
  const firstTask = new Int32Array(job.phases.length + 1);
  for (const [index, { tasks }] of job.phases.entries()) {
    firstTask[index + 1] = (firstTask[index] ?? 0) + tasks;
  }
  const ints = (): Int32Array => new Int32Array(count).fill(-1);
  const base = {
    job,
    count,
    phase: Int32Array.from(order, ([phase]) => phase),
    row: Int32Array.from(order, ([, row]) => row),
    task: ints(),
    tasks: firstTask[job.phases.length] ?? 0,
    firstTask,
    start: new Float64Array(count),
    end: new Float64Array(count),
    role: new Uint8Array(count),
    lost: new Uint8Array(count),
    lag: new Float64Array(count),
    after: ints(),
    beside: ints(),
    offset: new Float64Array(count),
  };
  for (const [i, [phase, row]] of order.entries()) {
    const { attempts } = defined(job.phases[phase], "a phase of the job");
    base.task[i] = (firstTask[phase] ?? 0) + (attempts.task[row] ?? 0);
    base.start[i] = attempts.startedAt[row] ?? 0;
    base.end[i] = attempts.endedAt[row] ?? 0;
  }
  relate(base);
  const { gates, readyGate, barrier } = gatesOf(base);
  return { ...base, gates, readyGate, barrier, ...slotPools(base) };
}

/** The part of a plan that says what each attempt is, without gates and slots. */
export type PlannedAttempts = Omit<Plan, "barrier" | "gates" | "readyGate" | "pool" | "pools">;

/** Phase and row of each attempt, by start; at the same start, earlier phases come first. */
function inOrder(phases: readonly TracePhase[]): readonly (readonly [number, number])[] {
  const all = phases.flatMap(({ attempts }, phase) =>
    Array.from({ length: attempts.length }, (_, row) => [phase, row] as const),
  );
  const start = ([phase, row]: readonly [number, number]): number =>
    phases[phase]?.attempts.startedAt[row] ?? 0;
  // The sort is stable, and columns are in the order of starts.
  return all.sort((a, b) => Math.sign(start(a) - start(b)));
}

/** Finds for each attempt what it means for its task, and which attempt it followed. */
function relate(plan: PlannedAttempts): void {
  const ofTask: number[][] = Array.from({ length: plan.tasks }, () => []);
  for (let i = 0; i < plan.count; i++) ofTask[plan.task[i] ?? 0]?.push(i);
  for (const attempts of ofTask) relateTask(plan, attempts);
}

function relateTask(plan: PlannedAttempts, attempts: readonly number[]): void {
  const { start, end } = plan;
  const at = (column: Float64Array, i: number): number => column[i] ?? 0;
  const winner = attempts
    .filter((i) => endOf(plan, i) === "succeeded")
    .reduce((a, b) => (a < 0 || at(end, b) < at(end, a) ? b : a), -1);
  for (const [nth, i] of attempts.entries()) {
    const how = endOf(plan, i);
    const overlaps = winner >= 0 && i !== winner && at(start, i) < at(end, winner);
    const lost = overlaps && how !== "failed" && how !== "lost" && lags(plan, i, winner);
    plan.lost[i] = lost ? 1 : 0;
    if (lost) plan.lag[i] = at(end, i) - at(end, winner);
    plan.role[i] = lost || how === "succeeded" || how === "cut-off" ? ROLE.finishes : ROLE.fails;
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

/** Killed attempts end after their winner, or so little before it that clocks explain it. */
const KILL_EARLY_MS = 1_000;

const lags = ({ end }: PlannedAttempts, loser: number, winner: number): boolean =>
  (end[loser] ?? 0) >= (end[winner] ?? 0) - KILL_EARLY_MS;

const endOf = ({ job, phase, row }: PlannedAttempts, i: number): string => {
  const { attempts } = defined(job.phases[phase[i] ?? 0], "a phase of the job");
  return endAt(attempts, row[i] ?? 0);
};

/** Why the attempt ran. */
export const kindOf = ({ job, phase, row }: Pick<Plan, "job" | "phase" | "row">, i: number) =>
  kindAt(defined(job.phases[phase[i] ?? 0], "a phase of the job").attempts, row[i] ?? 0);
