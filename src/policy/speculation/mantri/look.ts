import type { Ask } from "../../../model/action.ts";
import { after, type PhaseId, type TaskId } from "../../../model/ids.ts";
import { isInputWritten } from "../../shared/input-written.ts";
import { reportPeriodMs } from "../../shared/report-period.ts";
import { candidateOf, listed } from "./candidates.ts";
import { inTime } from "./first-reports.ts";
import type { Candidate, FirstReport, MantriContext, MantriLook } from "./memory.ts";
import type { MantriParams } from "./params.ts";
import { slowerCopies } from "./pseudocode-1.ts";
import { anotherRun, dueStandingOf, judgedFrom } from "./standing.ts";

/**
 * Line 3, "periodically", and the choice of the tasks for which slots are judged. Tasks report once
 * in Δ, so a look is worthwhile that often. COST: O(running attempts of the phase) once in Δ: a
 * task of up to 100 s is looked at ten times in its life. A slot then costs O(1).
 */
export function lookAt(ctx: MantriContext, phase: PhaseId, last: MantriLook | undefined): Seen {
  const { params, view } = ctx;
  const asks: Ask[] = [];
  const candidates: Candidate[] = [];
  const unreported: FirstReport[] = [];
  let looked = 0;
  let sumMs = 0;
  // d is unknown while the task's input is being written.
  const hadInput = isInputWritten(view, phase);
  for (const { id: task } of hadInput ? view.runningTasks(phase) : []) {
    const run = anotherRun(ctx, task);
    if (run === undefined) {
      // Until a task has shown progress nothing can be judged, and no task has a second copy.
      if (looked === 0) break;
      continue;
    }
    looked++;
    sumMs += run.newCopyMs;
    const kills = prune(ctx, task, run.periodMs);
    asks.push(...kills);
    if (kills.length > 0) continue;
    const from = judgedFrom(ctx, task, run.periodMs);
    if (from === undefined) continue;
    if (from > view.now) {
      unreported.push({ task, at: from });
      continue;
    }
    const standing = dueStandingOf(ctx, task, run);
    const candidate = standing === undefined ? undefined : candidateOf(ctx, standing);
    if (candidate !== undefined) candidates.push(candidate);
  }
  const since = last?.since ?? view.now;
  const lifeMs = looked > 0 ? sumMs / looked : hadInput ? lifeOfAny(ctx, phase) : undefined;
  const { periodMs, periodsPerLife } = params;
  const everyMs = lookEveryMs({ periodMs, periodsPerLife, lifeMs, since, now: view.now });
  const nextAt = after(view.now, everyMs);
  const seen = { candidates: listed(candidates), unreported: inTime(unreported) };
  return { asks, look: { since, nextAt, hadInput, ...seen } };
}

/** While no task of the phase runs, one may be launched soon: the life of the first, in ms. */
function lifeOfAny(ctx: MantriContext, phase: PhaseId): number | undefined {
  const first = ctx.view.phase(phase).tasks.at(0);
  return first === undefined ? undefined : anotherRun(ctx, first.id)?.newCopyMs;
}

interface Seen {
  readonly asks: readonly Ask[];
  readonly look: MantriLook;
}

/** Line 3 for one task. */
function prune(ctx: MantriContext, task: TaskId, periodMs: number): readonly Ask[] {
  const { estimate, params, view } = ctx;
  const { alpha } = params;
  if (view.attemptsOf(task).length <= alpha || !ctx.has("kill-only")) return NOTHING;
  const running = view.runningOf(task);
  if (running.length <= alpha) return NOTHING;
  const judged = running.filter(({ id }) => estimate.mayJudge(id));
  const copies = judged.map(({ id, startedAt }) => ({
    attempt: id,
    ranMs: view.now - (startedAt ?? view.now),
    timeLeftMs: estimate.timeLeft(id),
  }));
  const { kept, killed } = slowerCopies(copies, { alpha, periodMs });
  const keptMs = kept.at(-1)?.timeLeftMs ?? 0;
  return killed.map(({ attempt, timeLeftMs }): Ask => {
    const why = { rule: "slower-copy", numbers: { timeLeftMs, keptMs, alpha } };
    return { kind: "kill", attempt, then: "nothing", why };
  });
}

const NOTHING: readonly Ask[] = [];

/** The shortest time between two looks at a phase. */
const LOOK_EVERY_MS_MIN = 100;

/**
 * Milliseconds until the next look: Δ of the tasks of the phase. While none has finished, tasks are
 * assumed to live at least as long as the phase has.
 */
export function lookEveryMs(
  of: Pick<MantriParams, "periodMs" | "periodsPerLife"> & {
    /**
     * The mean time that new runs of the phase's running tasks would take, in ms; undefined if
     * unknown.
     */
    readonly lifeMs: number | undefined;
    readonly since: number;
    readonly now: number;
  },
): number {
  return Math.max(LOOK_EVERY_MS_MIN, reportPeriodMs(of, of.lifeMs ?? of.now - of.since));
}
