import { meanOf } from "../../../base/distribution.ts";
import { ascending, descending } from "../../../base/order.ts";
import type { Ask } from "../../../model/action.ts";
import type { Attempt } from "../../../model/attempt.ts";
import type { Instant, PhaseId, TaskId } from "../../../model/ids.ts";
import { isInputWritten } from "../../shared/input-written.ts";
import { reportPeriodMs } from "../../shared/report-period.ts";
import { helpFor, savedMs, standingOf } from "./judge.ts";
import type { MantriContext, MantriParams } from "./params.ts";

/** What the last look at a phase has found. Plain data. */
export interface Look {
  /** When the phase was first looked at. */
  readonly since: Instant;
  readonly nextAt: Instant;
  /** Tasks that another run would help, the one that it would help most first. */
  readonly candidates: Set<TaskId>;
}

export type Looks = Map<PhaseId, Look>;

interface Seen {
  readonly asks: readonly Ask[];
  readonly candidates: Set<TaskId>;
  /** The mean time that new runs of its running tasks would take; undefined if not known. */
  readonly lifeMs: number | undefined;
}

/**
 * Pseudocode 1, line 3 and the choice of candidates. Tasks report once in Δ, so that is how often
 * there is anything new to see. COST: O(running attempts of the phase) once in Δ, so that a task
 * of up to 100 s is looked at ten times in its life; a slot then costs O(1).
 */
export function lookAt(ctx: MantriContext, phase: PhaseId): Seen {
  const { estimate, view } = ctx;
  const asks: Ask[] = [];
  const found: Found[] = [];
  let looked = 0;
  let sumMs = 0;
  // Of a task whose input is still being written nobody knows d.
  const isKnown = isInputWritten(view, phase);
  for (const { id: task } of isKnown ? view.runningTasks(phase) : []) {
    const newCopy = estimate.newCopy(task);
    const newCopyMs = meanOf(newCopy);
    if (newCopyMs === undefined) {
      // Before any task has finished, nothing can be judged, and no task has a second copy.
      if (looked === 0) break;
      continue;
    }
    looked++;
    sumMs += newCopyMs;
    const kills = prune(ctx, task, reportPeriodMs(ctx.params, newCopyMs));
    asks.push(...kills);
    const standing = kills.length > 0 ? undefined : standingOf(ctx, task, newCopy);
    if (standing === undefined) continue;
    if ((helpFor(ctx, standing, "contended") ?? helpFor(ctx, standing, "idle")) === undefined) {
      continue;
    }
    found.push({ task, gainMs: savedMs(standing) });
  }
  found.sort(mostFirst);
  const lifeMs = looked === 0 ? undefined : sumMs / looked;
  return { asks, lifeMs, candidates: new Set(found.map(({ task }) => task)) };
}

interface Found {
  readonly task: TaskId;
  readonly gainMs: number;
}

const mostFirst = descending<Found>(
  ({ gainMs }) => gainMs,
  ascending(({ task }) => task),
);

/** Line 3: kill all but the fastest α copies, once they have run for Δ. */
function prune(ctx: MantriContext, task: TaskId, periodMs: number): readonly Ask[] {
  const { estimate, params, view } = ctx;
  const running = view.runningOf(task);
  if (running.length <= params.alpha || !ctx.has("kill-only")) return NOTHING;
  const judged: Judged[] = [];
  for (const attempt of running) {
    if (view.now - (attempt.startedAt ?? view.now) < periodMs) continue;
    judged.push({ attempt, timeLeftMs: estimate.timeLeft(attempt.id) });
  }
  judged.sort(fastestFirst);
  const keptMs = judged[params.alpha - 1]?.timeLeftMs ?? 0;
  return judged.slice(params.alpha).map(({ attempt: { id }, timeLeftMs }): Ask => {
    const why = { rule: "slower-copy", numbers: { timeLeftMs, keptMs, alpha: params.alpha } };
    return { kind: "kill", attempt: id, then: "nothing", why };
  });
}

interface Judged {
  readonly attempt: Attempt;
  readonly timeLeftMs: number;
}

const NOTHING: readonly Ask[] = [];

const fastestFirst = ascending<Judged>(
  ({ timeLeftMs }) => timeLeftMs,
  ascending(({ attempt }) => attempt.id),
);

/** No phase is looked at more often. */
const LOOK_EVERY_MS_MIN = 100;

/**
 * Milliseconds until the next look: Δ of the tasks of the phase; while none has finished they live
 * at least as long as the phase has.
 */
export function lookEveryMs(
  of: Pick<MantriParams, "periodMs" | "periodsPerLife"> & {
    readonly lifeMs: number | undefined;
    readonly since: number;
    readonly now: number;
  },
): number {
  return Math.max(LOOK_EVERY_MS_MIN, reportPeriodMs(of, of.lifeMs ?? of.now - of.since));
}
