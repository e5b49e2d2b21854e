import { type Distribution, meanOf } from "../../../base/distribution.ts";
import { type AttemptId, type Instant, instant, type TaskId } from "../../../model/ids.ts";
import type { Numbers } from "../../../model/why.ts";
import { reportPeriodMs } from "../../shared/report-period.ts";
import type { MantriContext, Standing } from "./memory.ts";
import { savesWork } from "./pseudocode-1.ts";

/** Another run of a task. */
export interface AnotherRun {
  /** t_new, on a given node or on an average one. */
  readonly newCopy: Distribution;
  /** Δ of the task, which does not depend on the place of the run. */
  readonly periodMs: number;
}

/** Another run on an average node; undefined while nothing is known of new copies. */
export function anotherRun(
  { estimate, params }: Pick<MantriContext, "estimate" | "params">,
  task: TaskId,
): (AnotherRun & { readonly newCopyMs: number }) | undefined {
  const newCopy = estimate.newCopy(task);
  const newCopyMs = meanOf(newCopy);
  if (newCopyMs === undefined) return undefined;
  return { newCopy, newCopyMs, periodMs: reportPeriodMs(params, newCopyMs) };
}

/**
 * The time from which the task can be judged: all its copies have run for Δ, and the core launched
 * the last one, killed or not, some periods ago, since §5.1 leaves such a task alone for stability.
 * undefined if an attempt was acted upon or has not started, or if none runs.
 */
export function judgedFrom(
  { params, view }: Pick<MantriContext, "params" | "view">,
  task: TaskId,
  periodMs: number,
): Instant | undefined {
  let from: number | undefined;
  let leftAloneUntil = 0;
  for (const { as, launchedAt, startedAt, state } of view.attemptsOf(task)) {
    if (state === "dying" || state === "assumed") return undefined;
    if (as === "speculative" || as === "restart") {
      leftAloneUntil = Math.max(leftAloneUntil, launchedAt + params.stablePeriods * periodMs);
    }
    if (state !== "running") continue;
    from = Math.max(from ?? 0, (startedAt ?? view.now) + periodMs);
  }
  return from === undefined ? undefined : instant(Math.max(from, leftAloneUntil));
}

/** undefined while the task cannot be judged, or nothing is known of new copies. */
export function standingOf(
  ctx: MantriContext,
  task: TaskId,
  run: AnotherRun,
): Standing | undefined {
  const from = judgedFrom(ctx, task, run.periodMs);
  return from === undefined || ctx.view.now < from ? undefined : dueStandingOf(ctx, task, run);
}

/** The standing of a task for which the time of `judgedFrom` has come. */
export function dueStandingOf(
  { estimate, view }: MantriContext,
  task: TaskId,
  { newCopy, periodMs }: AnotherRun,
): Standing | undefined {
  const newCopyMs = meanOf(newCopy);
  if (newCopyMs === undefined) return undefined;
  let copies = 0;
  let attempt: AttemptId | undefined;
  let timeLeftMs = Number.POSITIVE_INFINITY;
  for (const { id, state } of view.attemptsOf(task)) {
    if (state !== "running") continue;
    if (!estimate.mayJudge(id)) return undefined;
    copies++;
    attempt ??= id;
    timeLeftMs = Math.min(timeLeftMs, estimate.timeLeft(id));
  }
  if (attempt === undefined) return undefined;
  const restarts = view.restarts(task);
  return { task, attempt, copies, timeLeftMs, newCopy, newCopyMs, periodMs, restarts };
}

/** The numbers that were compared. */
export function numbersOf(standing: Standing): Numbers {
  const { copies, newCopyMs, periodMs, restarts, timeLeftMs } = standing;
  return { timeLeftMs, newCopyMs, periodMs, savesWork: savesWork(standing), copies, restarts };
}
