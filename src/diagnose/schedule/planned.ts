import { cell } from "../../base/rows.ts";
import {
  type AttemptColumns,
  endAt,
  kindAt,
  slotMsAt,
  type TraceEnd,
} from "../../history/columns.ts";
import type { TraceJob, TracePhase } from "../../history/model.ts";
import type { AttemptKind } from "../../model/attempt.ts";

/** The meaning of an attempt's end for its task. */
export const ROLE = {
  /** The task is done when the attempt ends, unless another attempt was first. */
  finishes: 0,
  /**
   * The attempt ends without a result: it failed, was lost, or was killed for another reason. Or
   * its result was lost, and recomputed.
   */
  fails: 1,
} as const;

/**
 * The attempts of a job in the order of their starts, and the rules from which their starts and
 * ends follow. Times in ms since the trace's origin.
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
  /** The last part of the attempt, in which it holds no slot: its result is fetched. */
  readonly resultMs: Float64Array;
  readonly pool: Int32Array;
  readonly role: Uint8Array;
  /** 1 if the attempt was killed because another attempt of its task succeeded. */
  readonly lostRace: Uint8Array;
  /** Of a losing attempt: its end after the end of the winner. */
  readonly lag: Float64Array;
  /** The attempt after whose end this one is ready; -1 if none: the phase's gate counts. */
  readonly after: Int32Array;
  /** The attempt beside which this one is a copy; -1 if it is no copy. */
  readonly beside: Int32Array;
  /** The time from the original's start to the copy's start. */
  readonly offset: Float64Array;
  /** The first of the attempts that started with this one, all or none; -1 if it started alone. */
  readonly gang: Int32Array;
  /** The phase's gate that the attempt waited for after its start; -1 if there was none. */
  readonly barrier: Int32Array;
  readonly gates: readonly Gate[];
  /** The gate at which each phase is ready. */
  readonly readyGate: Int32Array;
  /** The gate at which the attempt is ready, if it follows no other: its phase's or a try's. */
  readonly gate: Int32Array;
  readonly pools: SlotPools;
  /** When nothing ran although tasks were due, because no slot existed: no task waits its turn. */
  readonly noSlot: Float64Array;
  /**
   * How long the attempt's slot is gone after it, as its executor was lost: as a multiple of the
   * attempt's duration. 0: the slot stays; Infinity: no other takes its place.
   */
  readonly takesSlot: Float64Array;
  /** The executors that took the place of lost ones. */
  readonly replacing: ReadonlySet<number>;
}

/** The phase of an attempt of the plan. */
export const phaseOf = ({ job, phase }: Pick<Plan, "job" | "phase">, i: number): TracePhase =>
  cell(job.phases[cell(phase[i])]);

/** The columns that record the attempt, in the row `plan.row[i]`. */
export const attemptsOf = (plan: Pick<Plan, "job" | "phase">, i: number): AttemptColumns =>
  phaseOf(plan, i).attempts;

export type PlanRows = Pick<Plan, "job" | "phase" | "row">;

export const endOf = (plan: PlanRows, i: number): TraceEnd =>
  endAt(attemptsOf(plan, i), cell(plan.row[i]));

export const slotMsOf = (plan: PlanRows, i: number): number =>
  slotMsAt(attemptsOf(plan, i), cell(plan.row[i]));

/** The slot time of all attempts. */
export function slotTimeOf(plan: Plan): number {
  let total = 0;
  for (let i = 0; i < plan.count; i++) total += slotMsOf(plan, i);
  return total;
}

/** Why the attempt ran. */
export const kindOf = (plan: PlanRows, i: number): AttemptKind =>
  kindAt(attemptsOf(plan, i), cell(plan.row[i]));

/** `phase/index#ordinal`. */
export function attemptName(plan: Plan, i: number): string {
  const { name, attempts } = phaseOf(plan, i);
  const row = cell(plan.row[i]);
  return `${name}/${cell(attempts.task[row])}#${cell(attempts.ordinal[row])}`;
}

/**
 * A moment that follows from ends of tasks: the latest of the `counts`-th ends of tasks of some
 * phases, and a gap. With no phases it is the time `gap`.
 */
export interface Gate {
  readonly needs: readonly { readonly phase: number; readonly count: number }[];
  /** The time between the ends and the gate: a driver's or a master's work. */
  readonly gapMs: number;
  /** The recorded moment. */
  readonly at: number;
}

/** The slots of each pool, and the time during which each exists. */
export interface SlotPools {
  readonly from: readonly Float64Array[];
  readonly until: readonly Float64Array[];
  /** As `until`, without the end of a slot that goes with the attempt on it: for other times. */
  readonly lastsTo: readonly Float64Array[];
  /** Whether the log names the slots; else they are the most attempts at once. */
  readonly isRecorded: boolean;
}

/** The part of a plan that says what each attempt is, without gates and slots. */
export type PlannedAttempts = Omit<
  Plan,
  | "barrier"
  | "gates"
  | "readyGate"
  | "gate"
  | "pool"
  | "pools"
  | "noSlot"
  | "takesSlot"
  | "replacing"
>;
