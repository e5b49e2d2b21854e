import { never } from "../../base/assert.ts";
import { mostFirst } from "../../base/on-paper.ts";
import type { Ask, Slot } from "../../model/action.ts";
import {
  after,
  instant,
  type JobId,
  type NodeId,
  type PhaseId,
  type TaskId,
} from "../../model/ids.ts";
import type { HeardOf, SpeculationPolicy } from "../policy.ts";
import { refuse } from "../refuse.ts";
import { copyablePhases } from "../shared/copyable-phases.ts";
import { isInputWritten } from "../shared/input-written.ts";
import { candidatesOf, dropCandidate } from "./mantri/candidates.ts";
import { expectReport, judgeFirstReports, setFirstReportAt } from "./mantri/first-reports.ts";
import { lookAt } from "./mantri/look.ts";
import type { MantriContext, MantriLook, MantriMemory, Standing } from "./mantri/memory.ts";
import { MANTRI_PARAMS, type MantriParams } from "./mantri/params.ts";
import { type Help, helpFor, savedMs } from "./mantri/pseudocode-1.ts";
import { numbersOf, standingOf } from "./mantri/standing.ts";

/**
 * Resource-aware restart: an outlier is killed and run again, or copied, as soon as that is likely
 * to save time; while other tasks wait, only if it saves work as well.
 */
export const mantri: SpeculationPolicy<MantriParams, MantriMemory> = {
  name: "mantri",
  source:
    "Ananthanarayanan, Kandula, Greenberg, Stoica, Lu, Saha, Harris: Reining in the Outliers in " +
    "Map-Reduce Clusters using Mantri, MSR-TR-2010-69, 2010, §5.1, Pseudocode 1",
  params: MANTRI_PARAMS,
  needs: ["slot-offers"],
  wants: ["kill-restart", "kill-only"],
  remember: () => ({ looks: new Map(), firstReportAt: Number.POSITIVE_INFINITY }),

  hears: {
    "slots-offered": judgeFirstReports,
    woken: judgeFirstReports,
    "attempt-started": (ctx, { attempt }) => expectReport(ctx, attempt),
    "attempt-assumed": dropTask,
    "attempt-succeeded": dropTask,
    "job-ended"({ memory, view }, { job }) {
      for (const { id } of view.job(job).phases) memory.looks.delete(id);
    },
  },

  // Otherwise a short phase could begin and end between two looks at long tasks beside it.
  onPhaseReady: lookNow,
  // While the input was being written, no attempt of the phase could be judged.
  onInputWritten: (ctx, phase) => (ctx.view.counts(phase).running > 0 ? lookNow(ctx) : []),

  scan(ctx) {
    const { memory, params, view } = ctx;
    const asks: Ask[] = [];
    let wakeAt: number = after(view.now, params.periodMs);
    for (const job of view.jobs()) {
      for (const { id } of copyablePhases(view, job.id)) {
        const last = memory.looks.get(id);
        let nextAt = last?.nextAt;
        if (nextAt === undefined || nextAt <= view.now || isOutOfDate(ctx, id, last)) {
          const seen = lookAt(ctx, id, last);
          memory.looks.set(id, seen.look);
          asks.push(...seen.asks);
          ({ nextAt } = seen.look);
        }
        wakeAt = Math.min(wakeAt, nextAt);
      }
    }
    setFirstReportAt(ctx);
    return [...asks, { kind: "wake", at: instant(wakeAt) }];
  },

  // Line 5: tasks are waiting for slots.
  onContendedSlot: (ctx, job, slot) => helpMost(ctx, job, askedSlot(slot, "contended")),
  // Line 9: all tasks have begun.
  onIdleSlot: (ctx, job, slot) => helpMost(ctx, job, askedSlot(slot, "idle")),
  idleNeedsAttempts: true,
};

function dropTask(
  ctx: MantriContext,
  { attempt }: HeardOf<"attempt-assumed" | "attempt-succeeded">,
): void {
  dropCandidate(ctx, ctx.view.attempt(attempt).task);
}

function lookNow({ view }: MantriContext): readonly Ask[] {
  return [{ kind: "wake", at: view.now }];
}

/** The last look came while the input was being written, which is there now. */
const isOutOfDate = ({ view }: MantriContext, phase: PhaseId, last?: MantriLook): boolean =>
  last?.hadInput === false && isInputWritten(view, phase);

interface AskedSlot extends Slot {
  readonly is: "contended" | "idle";
}

const askedSlot = ({ kind, node }: Slot, is: AskedSlot["is"]): AskedSlot => ({ node, kind, is });

/** The most candidates of a phase that are judged again for one slot. */
const JUDGED_MAX = 3;

/** §6.1: restarts or duplicates, on this node, the task that would benefit the most. */
function helpMost(ctx: MantriContext, job: JobId, slot: AskedSlot): readonly Ask[] {
  const { view } = ctx;
  const worth: Worth[] = [];
  let passed: Passed | undefined;
  for (const { id } of copyablePhases(view, job, slot.kind)) {
    for (const found of judged(ctx, id, slot)) {
      if ("by" in found) worth.push(found);
      else passed ??= found;
    }
  }
  const [most] = worth.sort(MOST_SAVED_FIRST);
  if (most !== undefined) return help(ctx, most, slot.node);
  if (passed === undefined) {
    // No refusal is given where a waiting task gets the slot.
    return slot.is === "contended" ? [] : refuse(ctx, "nothing-to-gain", () => ({}));
  }
  const { rule, standing, task } = passed;
  return refuse(ctx, rule, () => (standing === undefined ? {} : numbersOf(standing)), task);
}

const MOST_SAVED_FIRST = mostFirst<Worth>(
  ({ standing }) => savedMs(standing),
  ({ standing }) => standing.task,
);

interface Worth {
  readonly by: Help;
  readonly standing: Standing;
}

interface Passed {
  readonly task: TaskId;
  readonly rule: "has-run-here" | "not-worth-it";
  readonly standing?: Standing;
}

/** The first candidates of a phase, judged for this slot. */
function* judged(ctx: MantriContext, phase: PhaseId, slot: AskedSlot): Generator<Worth | Passed> {
  // Outputs may have been lost since the look: a copy does not help a task that waits for them.
  if (!isInputWritten(ctx.view, phase)) return;
  let count = 0;
  for (const { task, periodMs } of candidatesOf(ctx, phase)) {
    // Not in the paper, which restarts "elsewhere": never on a node where the task has run.
    if (ctx.view.hasRunOn(task, slot.node)) {
      yield { task, rule: "has-run-here" };
      continue;
    }
    const newCopy = ctx.estimate.newCopy(task, slot.node);
    const standing = standingOf(ctx, task, { newCopy, periodMs });
    if (standing === undefined) continue;
    const by = helpFor(ctx, standing, slot.is);
    yield by === undefined ? { task, rule: "not-worth-it", standing } : { by, standing };
    if (++count === JUDGED_MAX) return;
  }
}

function help(ctx: MantriContext, worth: Worth, node: NodeId): readonly Ask[] {
  const { by, standing } = worth;
  const { attempt, task } = standing;
  const why = { rule: by, numbers: numbersOf(standing) };
  switch (by) {
    case "restart-is-sooner": {
      const kill: Ask = { kind: "kill", attempt, then: "restart", why };
      // A host without offers restarts the task by itself.
      if (!ctx.params.restartTakesSlot || !ctx.has("slot-offers")) return [kill];
      return [kill, { kind: "launch", task, as: "restart", node, why }];
    }
    case "copy-saves-work":
    case "copy-saves-time":
      return [{ kind: "launch", task, as: "speculative", node, why }];
    default:
      return never(by);
  }
}
