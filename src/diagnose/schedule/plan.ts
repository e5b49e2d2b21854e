import { defined } from "../../base/assert.ts";
import { cell } from "../../base/rows.ts";
import { endAt, kindAt, slotMsAt } from "../../history/columns.ts";
import type { TraceJob, TracePhase } from "../../history/model.ts";
import { gatesOf } from "./gates.ts";
import { type Plan, type PlannedAttempts, ROLE } from "./planned.ts";
import { slotPools } from "./slot-pools.ts";

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
    lost: new Uint8Array(count),
    lag: new Float64Array(count),
    after: ints(),
    beside: ints(),
    offset: new Float64Array(count),
  };
  for (const [i, [phase, row]] of order.entries()) {
    const { attempts } = defined(job.phases[phase], "a phase of the job");
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
    phases[phase]?.attempts.startedAt[row] ?? 0;
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
    plan.lost[i] = lost ? 1 : 0;
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
export const isRecompute = (plan: Pick<Plan, "job" | "phase" | "row">, i: number): boolean => {
  const { attempts } = defined(plan.job.phases[cell(plan.phase[i])], "a phase of the job");
  const row = cell(plan.row[i]);
  return kindAt(attempts, row) === "recompute" && endAt(attempts, row) === "succeeded";
};

/** Killed attempts end after their winner, or so little before it that clocks explain it. */
const KILL_EARLY_MS = 10_000;

const lags = ({ end }: PlannedAttempts, loser: number, winner: number): boolean =>
  cell(end[loser]) >= cell(end[winner]) - KILL_EARLY_MS;

const endOf = ({ job, phase, row }: PlannedAttempts, i: number): string => {
  const { attempts } = defined(job.phases[cell(phase[i])], "a phase of the job");
  return endAt(attempts, cell(row[i]));
};

export const slotMsOf = ({ job, phase, row }: Pick<Plan, "job" | "phase" | "row">, i: number) =>
  slotMsAt(defined(job.phases[cell(phase[i])], "a phase of the job").attempts, cell(row[i]));

/** Why the attempt ran. */
export const kindOf = ({ job, phase, row }: Pick<Plan, "job" | "phase" | "row">, i: number) =>
  kindAt(defined(job.phases[cell(phase[i])], "a phase of the job").attempts, cell(row[i]));
