import { type Distribution, meanOf, probabilityBelow } from "../../../base/distribution.ts";
import type { AttemptId, TaskId } from "../../../model/ids.ts";
import type { Numbers } from "../../../model/why.ts";
import { reportPeriodMs } from "../../shared/report-period.ts";
import type { MantriContext, MantriParams } from "./params.ts";

/** A task of which all attempts have reported, and what another run of it would take. */
export interface Standing {
  readonly task: TaskId;
  /** c, its running copies. */
  readonly copies: number;
  /** The first of them; the only one where it matters. */
  readonly attempt: AttemptId;
  /** t_rem: of the copy that will be the first to end. */
  readonly timeLeftMs: number;
  /** t_new. */
  readonly newCopy: Distribution;
  /** E(t_new). */
  readonly newCopyMs: number;
  /** Δ. */
  readonly periodMs: number;
  readonly restarts: number;
}

/** What another run would be good for. */
export type Help = "restart-is-sooner" | "copy-saves-work" | "copy-saves-time";

/** Pseudocode 1, lines 6, 7 and 10, for one running task; undefined: nothing would help. */
export function helpFor(
  ctx: Pick<MantriContext, "params" | "has">,
  standing: Omit<Standing, "task" | "attempt">,
  slot: "contended" | "idle",
): Help | undefined {
  const { alpha, delta, gamma, rho } = ctx.params;
  // §5.1: never more than three copies: the fastest, the second fastest and one just started.
  if (standing.copies > alpha) return undefined;
  if (slot === "idle")
    return savedMs(standing) > rho * standing.periodMs ? "copy-saves-time" : undefined;
  // Line 6: kill and restart, at most γ times. Where several copies run, line 3 does the killing.
  const mayKill = ctx.has("kill-restart") && standing.copies === 1 && standing.restarts < gamma;
  if (mayKill && isRestartSooner(standing)) return "restart-is-sooner";
  // Line 7: duplicate.
  return savesWork(standing) > delta ? "copy-saves-work" : undefined;
}

type Times = Pick<Standing, "timeLeftMs" | "newCopyMs">;

/** Line 10: E(t_rem - t_new), to be more than ρΔ; the printed difference has the wrong sign. */
export const savedMs = ({ newCopyMs, timeLeftMs }: Times): number => timeLeftMs - newCopyMs;

/** Line 6: t_rem > E(t_new) + Δ. */
export const isRestartSooner = (of: Times & { readonly periodMs: number }): boolean =>
  of.timeLeftMs > of.newCopyMs + of.periodMs;

/**
 * Line 7: P(t_new < t_rem c / (c + 1)), the probability that c + 1 copies until the end of the new
 * one take less work than the c copies until their own.
 */
export const savesWork = (of: Pick<Standing, "timeLeftMs" | "newCopy" | "copies">): number =>
  probabilityBelow(of.newCopy, (of.timeLeftMs * of.copies) / (of.copies + 1));

/**
 * undefined while the task cannot be judged: nothing is known of new copies, an attempt has not
 * reported yet, or the task is best left alone.
 */
export function standingOf(
  { estimate, params, view }: MantriContext,
  task: TaskId,
  newCopy: Distribution,
): Standing | undefined {
  const newCopyMs = meanOf(newCopy);
  if (newCopyMs === undefined) return undefined;
  const periodMs = reportPeriodMs(params, newCopyMs);
  let copies = 0;
  let attempt: AttemptId | undefined;
  let timeLeftMs = Number.POSITIVE_INFINITY;
  for (const { as, id, launchedAt, startedAt, state } of view.attemptsOf(task)) {
    // One that is being killed has been acted upon; one that has not started says nothing.
    if (state === "dying" || state === "assumed") return undefined;
    // For stability, a task is left alone for which a copy was launched recently, killed or not.
    const isOurs = as === "speculative" || as === "restart";
    if (isOurs && view.now - launchedAt < stableMs(params, periodMs)) return undefined;
    if (state !== "running") continue;
    if (view.now - (startedAt ?? view.now) < periodMs) return undefined;
    copies++;
    attempt ??= id;
    timeLeftMs = Math.min(timeLeftMs, estimate.timeLeft(id));
  }
  if (attempt === undefined) return undefined;
  const restarts = view.restarts(task);
  return { task, attempt, copies, timeLeftMs, newCopy, newCopyMs, periodMs, restarts };
}

const stableMs = ({ stablePeriods }: MantriParams, periodMs: number): number =>
  stablePeriods * periodMs;

/** What was compared. */
export function numbersOf(standing: Standing): Numbers {
  const { copies, newCopyMs, periodMs, restarts, timeLeftMs } = standing;
  return { timeLeftMs, newCopyMs, periodMs, savesWork: savesWork(standing), copies, restarts };
}
