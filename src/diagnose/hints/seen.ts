import { cell } from "../../base/rows.ts";
import type { Measure } from "../../history/columns.ts";
import type { TraceFormat } from "../../history/model.ts";
import type { AttemptCauses } from "../causes/attempt-causes.ts";
import type { Signals } from "../expect/signals.ts";
import type { Limits } from "../limits.ts";
import { attemptsOf, type Plan, ROLE } from "../schedule/planned.ts";

/** What a hint is found in. */
export interface Seen {
  readonly plan: Plan;
  readonly signals: Signals;
  readonly causes: AttemptCauses;
  /** Attempts that took longer than they should have, mostly for no reason that the log holds. */
  readonly late: readonly number[];
  /** Of the log, if that is known: each system has time-outs of its own. */
  readonly format: TraceFormat | undefined;
}

/** The attempts that are late. */
export function lateIn(plan: Plan, { own, ms, expected }: AttemptCauses, limits: Limits): number[] {
  const late: number[] = [];
  for (let i = 0; i < plan.count; i++) {
    if (plan.role[i] !== ROLE.finishes) continue;
    const [took, should, unexplained] = [own[i]!, expected[i]!, ms.unexplained[i]!];
    const isLate = should > 0 && took > limits.lateAbove * should;
    if (isLate && unexplained > (took - should) / 2) late.push(i);
  }
  return late;
}

/** A value of the late attempts, and of the others in the same phases. */
export function beside(plan: Plan, late: readonly number[], measured: (i: number) => number) {
  const isLate = new Set(late);
  const phases = new Set(late.map((i) => plan.phase[i]));
  const own: number[] = [];
  const others: number[] = [];
  for (let i = 0; i < plan.count; i++) {
    const value = phases.has(plan.phase[i]) ? measured(i) : Number.NaN;
    if (Number.isFinite(value)) (isLate.has(i) ? own : others).push(value);
  }
  return { own, others };
}

export const measureOf = (plan: Plan, i: number, measure: Measure): number =>
  cell(attemptsOf(plan, i)[measure][cell(plan.row[i])]);
