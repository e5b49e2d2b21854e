import { cell } from "../../base/rows.ts";
import { endOf, kindOf, type Plan, type PlannedAttempts, type PlanRows, ROLE } from "./planned.ts";

/** Finds each attempt's role in its task, and the attempt that it followed. */
export function relate(plan: PlannedAttempts): void {
  const ofTask: number[][] = Array.from({ length: plan.tasks }, () => []);
  for (let i = 0; i < plan.count; i++) ofTask[cell(plan.task[i])]?.push(i);
  for (const attempts of ofTask) relateTask(plan, attempts);
  if (plan.job.phases.some(({ laterTries }) => laterTries !== undefined)) followLosses(plan);
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
    const lost = winner >= 0 && hasLostRace(plan, i, winner);
    plan.lostRace[i] = lost ? 1 : 0;
    if (lost) plan.lag[i] = at(end, i) - at(end, winner);
    // What nobody ran again ended with its job, whoever killed it.
    const isLast = winner < 0 && !attempts.some((j) => at(start, j) >= at(end, i));
    const isOfUse =
      how === "succeeded" ? !isLost(i) : how === "cut-off" || (how === "killed" && isLast);
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

/**
 * A later try of a phase follows the failures that showed the loss of its input: the first of its
 * attempts wait from these on, those that had run before and those that had not.
 */
function followLosses(plan: PlannedAttempts): void {
  const { job, start, end } = plan;
  const ended: number[] = [];
  for (let i = 0; i < plan.count; i++) {
    if (plan.role[i] === ROLE.fails && endOf(plan, i) !== "succeeded") ended.push(i);
  }
  ended.sort((a, b) => cell(end[a]) - cell(end[b]) || a - b);
  const shownBy = new Map<number, number>();
  for (let i = 0; i < plan.count; i++) {
    const { laterTries = [] } = cell(job.phases[cell(plan.phase[i])]);
    const own = laterTries.findLast(({ submittedAt }) => submittedAt <= cell(start[i]));
    if (own === undefined || cell(plan.beside[i]) >= 0) continue;
    const after = cell(plan.after[i]);
    const isTriedAgain = after >= 0 && plan.role[after] === ROLE.fails;
    if (isTriedAgain && endOf(plan, after) !== "succeeded") continue;
    if (after >= 0 && cell(start[after]) >= own.submittedAt) continue;
    const from = Math.max(
      after < 0 ? Number.NEGATIVE_INFINITY : cell(end[after]),
      job.spans[own.span]?.submittedAt ?? Number.NEGATIVE_INFINITY,
    );
    const { submittedAt } = own;
    const shown =
      shownBy.get(submittedAt) ?? ended.findLast((j) => cell(end[j]) <= submittedAt) ?? -1;
    shownBy.set(submittedAt, shown);
    plan.after[i] = shown >= 0 && cell(end[shown]) >= from ? shown : -1;
  }
}

/**
 * The one rule of what a race is. Both attempts ran, each began before the other ended, and one of
 * them is a copy or both had a result. A killed attempt that runs again is a retry, whoever killed
 * it.
 */
function hasLostRace(plan: PlannedAttempts, i: number, winner: number): boolean {
  if (i === winner || !areAtOnce(plan, i, winner)) return false;
  switch (endOf(plan, i)) {
    case "failed":
    case "lost":
      return false;
    case "killed":
      if (!isSpeculative(plan, i) && !isSpeculative(plan, winner)) return false;
  }
  return lags(plan, i, winner);
}

const areAtOnce = ({ start, end }: PlannedAttempts, i: number, j: number): boolean =>
  cell(start[i]) < cell(end[j]) && cell(start[j]) < cell(end[i]);

const isSpeculative = (plan: PlanRows, i: number): boolean => kindOf(plan, i) === "speculative";

/** Whether the attempt is a copy beside another: it competes with that one for the task. */
export const isCopy = (plan: PlanRows & Pick<Plan, "beside">, i: number): boolean =>
  cell(plan.beside[i]) >= 0 && isSpeculative(plan, i);

/** The attempt recomputed the lost output of an earlier success. */
export const isRecompute = (plan: PlanRows, i: number): boolean =>
  kindOf(plan, i) === "recompute" && endOf(plan, i) === "succeeded";

/** Killed attempts end after their winner, or so little before it that clocks explain it. */
const KILL_EARLY_MS = 10_000;

const lags = ({ end }: PlannedAttempts, loser: number, winner: number): boolean =>
  cell(end[loser]) >= cell(end[winner]) - KILL_EARLY_MS;
