import { isClearlyAbove, isClearlyBelow } from "../../../base/clearly-below.ts";
import { meanOf as meanOfDistribution } from "../../../base/distribution.ts";
import { deviationOf, meanOf } from "../../../base/moments.ts";
import { ascending } from "../../../base/order.ts";
import type { Attempt } from "../../../model/attempt.ts";
import { type AttemptId, after, type TaskId } from "../../../model/ids.ts";
import type { View } from "../../../model/view.ts";
import { liveAttempts } from "../../shared/live-attempts.ts";
import type { YarnContext, YarnJobMemory } from "./memory.ts";

/** Why a task gets no copy, in the order of Hadoop's tests. */
export const REFUSALS = [
  "already-speculated",
  "on-schedule",
  "too-new",
  "progress-is-good",
  "too-late",
] as const;
export type Refusal = (typeof REFUSALS)[number];

export interface Worth {
  readonly kind: "worth";
  readonly task: TaskId;
  readonly gainMs: number;
  readonly timeLeftMs: number;
  readonly newCopyMs: number;
}

export type Judged = Worth | { readonly kind: Refusal };

const ALREADY: Judged = { kind: "already-speculated" };
const ON_SCHEDULE: Judged = { kind: "on-schedule" };
const TOO_NEW: Judged = { kind: "too-new" };
const GOOD: Judged = { kind: "progress-is-good" };
const TOO_LATE: Judged = { kind: "too-late" };

/** speculationValue, for a task with a starting or running attempt, once the gate is open. */
export function judgeTask(ctx: YarnContext, memory: YarnJobMemory, task: TaskId): Judged {
  const { params, view } = ctx;
  // The attempts that are RUNNING or STARTING in Hadoop's words.
  const [first, second] = inOrderOfCreation(view, memory, task);
  if (first === undefined) return ON_SCHEDULE;
  // Mended: attempts are counted before any of them is judged.
  if (!params.compat && second !== undefined) return ALREADY;
  const judged = judgeAttempt(ctx, memory, first);
  if (judged.kind !== "worth") return judged;
  if (second !== undefined) return ALREADY;
  if (!params.compat && !isSlow(ctx, memory, first, judged)) return ON_SCHEDULE;
  return judged;
}

/** In Hadoop a copy exists from its request on, here from its launch on. */
function inOrderOfCreation(
  view: View,
  { askedAt }: YarnJobMemory,
  task: TaskId,
): readonly Attempt[] {
  const live = liveAttempts(view, task);
  const copyAt = askedAt.get(task);
  if (live.length < 2 || copyAt === undefined) return live;
  const createdAt = ({ as, launchedAt }: Attempt): number =>
    as === "speculative" && launchedAt > copyAt ? copyAt : launchedAt;
  return [...live].sort(
    ascending(
      createdAt,
      ascending(({ id }) => id),
    ),
  );
}

function judgeAttempt(
  ctx: YarnContext,
  memory: YarnJobMemory,
  { id, startedAt, task }: Attempt,
): Judged {
  const { estimate, params, view } = ctx;
  // The speculator looks before it learns of the attempt's start.
  if (startedAt === undefined) return TOO_NEW;
  let timeLeftMs = estimate.timeLeft(id);
  const isStirred = stirIfSilent(ctx, memory, { id, end: view.now + timeLeftMs });
  // Hadoop's estimate is older than the made-up report.
  if (isStirred && !params.compat) timeLeftMs = estimate.timeLeft(id);
  // The attempt's estimated end is past: Hadoop expects it to end any moment.
  if (timeLeftMs < 0) return GOOD;
  const newCopyMs = Math.trunc(meanOfDistribution(estimate.newCopy(task)) ?? 0);
  if (!isClearlyBelow(newCopyMs, timeLeftMs)) return TOO_LATE;
  return { kind: "worth", task, gainMs: timeLeftMs - newCopyMs, timeLeftMs, newCopyMs };
}

/** MAX_WAITTING_TIME_FOR_HEARTBEAT: three heartbeats of 3 s. */
const SILENT_MS_MAX = 9_000;

/**
 * Makes an attempt report the same progress, now, if nothing new was heard of it for 9 s or the
 * estimator considers it stalled. Returns whether it did.
 */
function stirIfSilent(
  { estimate, view }: YarnContext,
  { looks }: YarnJobMemory,
  { id, end }: { readonly id: AttemptId; readonly end: number },
): boolean {
  const progress = Math.fround(view.score(id));
  const look = looks.get(id);
  if (look === undefined || !isSame(look.end, end) || look.progress !== progress) {
    looks.set(id, { end, progress, at: view.now });
    return false;
  }
  if (view.now > after(look.at, SILENT_MS_MAX)) look.at = view.now;
  else if (!estimate.isStalled(id)) return false;
  estimate.stall(id);
  return true;
}

/**
 * Hadoop's ends are whole milliseconds; here an end is derived from the time left, and a distant
 * end is rounded.
 */
function isSame(one: number, other: number): boolean {
  return one === other || Math.abs(one - other) < Math.max(0.5, Math.abs(one) * ROUNDING);
}

const ROUNDING = 1e-15;

/** Mended: the attempt is slower than finished tasks by slowTaskThreshold deviations. */
function isSlow(
  { params, view }: YarnContext,
  memory: YarnJobMemory,
  { startedAt, task }: Attempt,
  { timeLeftMs }: Worth,
): boolean {
  const durations = memory.durations.get(view.task(task).phase);
  if (durations === undefined || durations.count === 0) return false;
  const slowMs = meanOf(durations) + params.slowTaskThreshold * deviationOf(durations);
  return isClearlyAbove(view.now - (startedAt ?? view.now) + timeLeftMs, slowMs);
}
