import { isClearlyAbove, isClearlyBelow } from "../../../base/clearly-below.ts";
import { probabilityBelow } from "../../../base/distribution.ts";
import { leastFirst } from "../../../base/on-paper.ts";
import type { AttemptId } from "../../../model/ids.ts";
import type { MantriContext, Standing } from "./memory.ts";

// §5.1, Pseudocode 1, from the top down. Line 1, Δ, is `reportPeriodMs`; line 2, c, is
// `Standing.copies`. look.ts and first-reports.ts decide when it runs, and for which tasks.

/** A running copy of a task. */
export interface RunningCopy {
  readonly attempt: AttemptId;
  readonly ranMs: number;
  readonly timeLeftMs: number;
}

/** Line 3: among the copies that have run for Δ, kill all but the fastest α. */
export function slowerCopies(
  copies: readonly RunningCopy[],
  of: { readonly alpha: number; readonly periodMs: number },
): { readonly kept: readonly RunningCopy[]; readonly killed: readonly RunningCopy[] } {
  const fastest = copies
    .filter(({ ranMs }) => !isClearlyBelow(ranMs, of.periodMs))
    .sort(FASTEST_FIRST);
  return { kept: fastest.slice(0, of.alpha), killed: fastest.slice(of.alpha) };
}

const FASTEST_FIRST = leastFirst<RunningCopy>(
  ({ timeLeftMs }) => timeLeftMs,
  ({ attempt }) => attempt,
);

/** The benefit of another run. */
export type Help = "restart-is-sooner" | "copy-saves-work" | "copy-saves-time";

/** Line 4, a slot is available: how it can help one running task; undefined if it cannot. */
export function helpFor(
  ctx: Pick<MantriContext, "params" | "has">,
  task: Omit<Standing, "task" | "attempt">,
  slot: "contended" | "idle",
): Help | undefined {
  const { alpha, delta, gamma, rho } = ctx.params;
  // Never more than three copies: the fastest, the second fastest and one just started.
  if (task.copies > alpha) return undefined;
  // Line 5: tasks are waiting for slots.
  if (slot === "contended") {
    // Line 6: kill and restart, at most γ times. Where there are several copies, line 3 kills.
    const mayKill = ctx.has("kill-restart") && task.copies === 1 && task.restarts < gamma;
    if (mayKill && isRestartSooner(task)) return "restart-is-sooner";
    // Line 7: duplicate.
    if (isClearlyAbove(savesWork(task), delta)) return "copy-saves-work";
    // Line 8: the waiting task with the largest data gets the slot; `largest-first` orders the
    // tasks.
    return undefined;
  }
  // Line 9: all tasks have begun. Line 10: duplicate.
  return isClearlyAbove(savedMs(task), rho * task.periodMs) ? "copy-saves-time" : undefined;
  // Lines 11 and 12: the core offers the next slot.
}

/** Line 6: t_rem > E(t_new) + Δ. */
export const isRestartSooner = (
  of: Pick<Standing, "timeLeftMs" | "newCopyMs" | "periodMs">,
): boolean => isClearlyAbove(of.timeLeftMs, of.newCopyMs + of.periodMs);

/**
 * Line 7: P(t_new < t_rem c / (c + 1)), the probability that c + 1 copies until the end of the new
 * one take less work than the c copies until their own.
 */
export const savesWork = (of: Pick<Standing, "timeLeftMs" | "newCopy" | "copies">): number =>
  probabilityBelow(of.newCopy, (of.timeLeftMs * of.copies) / (of.copies + 1));

/** Line 10: E(t_rem - t_new), which must exceed ρΔ; the printed difference has the wrong sign. */
export const savedMs = (of: Pick<Standing, "timeLeftMs" | "newCopyMs">): number =>
  of.timeLeftMs - of.newCopyMs;
