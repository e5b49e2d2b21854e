import { mostFirst } from "../../base/on-paper.ts";
import type { Ask } from "../../model/action.ts";
import type { Where } from "../../model/attempt.ts";
import { after, type Instant, instant } from "../../model/ids.ts";
import type { Phase } from "../../model/job.ts";
import { withDefaults } from "../params.ts";
import type { SpeculationPolicy } from "../policy.ts";
import { refuse } from "../refuse.ts";
import { eachCopyable } from "../shared/copyable-phases.ts";
import { judgeTask, REFUSALS, type Refusal, type Worth } from "./yarn/judge.ts";
import {
  hears,
  memoryOf,
  type YarnContext,
  type YarnJobMemory,
  type YarnMemory,
} from "./yarn/memory.ts";
import { YARN_PARAMS, type YarnParams } from "./yarn/params.ts";

/**
 * DefaultSpeculator: each second it looks, in each phase, for the task whose replacement would save
 * the most time, and requests a container for one copy of that task, anywhere.
 */
export const yarn: SpeculationPolicy<YarnParams, YarnMemory> = {
  name: "yarn",
  source: "Hadoop 3, org.apache.hadoop.mapreduce.v2.app.speculate.DefaultSpeculator",
  params: YARN_PARAMS,
  needs: ["requests"],
  remember: () => ({ jobs: new Map() }),
  hears,

  // A job that comes while others run has its own ApplicationMaster.
  onPhaseReady: ({ view }) => [{ kind: "wake", at: view.now }],

  // The background thread of each job's ApplicationMaster: it looks at once, then waits a second,
  // or fifteen seconds if it has copied a task.
  scan(ctx) {
    const { params, view } = ctx;
    const asks: Ask[] = [];
    let wakeAt: number = after(view.now, params.retryAfterNoSpeculateMs);
    for (const job of view.jobs()) {
      const memory = memoryOf(ctx, job.id);
      if (memory.lookAt <= view.now) {
        // computeSpeculations: at most one copy for each kind of task of the job.
        const found = eachCopyable(ctx, job, (phase) => lookAtPhase(ctx, phase));
        asks.push(...found);
        const isFound = found.some(({ kind }) => kind === "request");
        memory.lookAt = lookAgainAt(ctx, isFound);
      }
      wakeAt = Math.min(wakeAt, memory.lookAt);
    }
    return [...asks, { kind: "wake", at: instant(wakeAt) }];
  },
};

/** The same policy with its errors mended. */
export const yarnCorrected: SpeculationPolicy<YarnParams, YarnMemory> = {
  ...yarn,
  name: "yarn-corrected",
  source: `${yarn.source}, with its errors mended`,
  params: withDefaults(YARN_PARAMS, { compat: false }),
};

function lookAgainAt({ params, view }: YarnContext, isFound: boolean): Instant {
  const { retryAfterNoSpeculateMs, retryAfterSpeculateMs } = params;
  return after(view.now, isFound ? retryAfterSpeculateMs : retryAfterNoSpeculateMs);
}

/** maybeScheduleASpeculation. */
function lookAtPhase(ctx: YarnContext, phase: Phase): readonly Ask[] {
  const { params, view } = ctx;
  const memory = memoryOf(ctx, phase.job);
  // No task is copied while an attempt of the kind, copies included, waits for a container.
  const { tasks, requested, ...counts } = view.counts(phase.id);
  const waiting = Math.max(counts.waiting, unreplacedOf(ctx, memory, phase));
  if (waiting + requested > 0) {
    return refuse(ctx, "containers-needed", () => ({ waiting, requested }));
  }
  // thresholdRuntime is the same for all attempts and is compared with "never" alone:
  // slowtaskthreshold decides nothing.
  const { done } = counts;
  if (!isGateOpen({ done, tasks })) {
    lookInVain(ctx, memory, phase);
    return refuse(ctx, "on-schedule", () => ({ done, tasks }));
  }
  let running = 0;
  let speculated = 0;
  let best: Worth | undefined;
  let furthest: Refusal | "nothing-running" = "nothing-running";
  // COST: O(running tasks of the phase), as in the source.
  for (const { id } of view.runningTasks(phase.id)) {
    const judged = judgeTask(ctx, memory, id);
    // MAPREDUCE-7339: if a task's first attempt is refused, Hadoop does not see that the task has a
    // second.
    running++;
    if (judged.kind === "already-speculated") speculated++;
    if (judged.kind === "worth") best = best === undefined ? judged : better(best, judged);
    else furthest = further(furthest, judged.kind);
  }
  if (best === undefined) return refuse(ctx, furthest, () => ({ running, speculated }));
  const cap = capOf({ ...params, tasks, running });
  const { task, gainMs, timeLeftMs, newCopyMs } = best;
  const numbers = { gainMs, timeLeftMs, newCopyMs, speculated, cap };
  if (speculated >= cap) return refuse(ctx, "speculative-cap", () => numbers, task);
  const where = params.compat ? ANYWHERE : elsewhere(ctx, best);
  memory.askedAt.set(task, view.now);
  return [
    { kind: "request", task, as: "speculative", where, why: { rule: "largest-gain", numbers } },
  ];
}

/**
 * Killed attempts that still need a replacement: the core does not count a task as waiting while
 * another attempt of it runs.
 */
const unreplacedOf = (
  { view }: YarnContext,
  { unreplaced }: YarnJobMemory,
  { id }: Phase,
): number => [...unreplaced.keys()].filter((task) => view.task(task).phase === id).length;

/**
 * When outputs are lost, an open gate closes. Hadoop still judges the tasks that it has copied
 * before (mayHaveSpeculated) and finds them on schedule; in doing so it makes silent attempts
 * report.
 */
function lookInVain(ctx: YarnContext, memory: YarnJobMemory, phase: Phase): void {
  if (memory.askedAt.size === 0) return;
  for (const { id } of ctx.view.runningTasks(phase.id)) {
    if (memory.askedAt.has(id)) judgeTask(ctx, memory, id);
  }
}

const further = (one: Refusal | "nothing-running", other: Refusal): Refusal =>
  one === "nothing-running" || REFUSALS.indexOf(other) > REFUSALS.indexOf(one) ? other : one;

/** MINIMUM_COMPLETE_PROPORTION_TO_SPECULATE, a float. */
const DONE_SHARE_MIN = Math.fround(0.05);

/** StartEndTimesBase.thresholdRuntime: one task of the kind is done, and a twentieth of all. */
const isGateOpen = ({ done, tasks }: { readonly done: number; readonly tasks: number }): boolean =>
  done >= 1 && Math.fround(done / tasks) >= DONE_SHARE_MIN;

/** The largest of three limits, in whole tasks, cut as by `(int) Math.max(..)`. */
export function capOf(of: {
  readonly tasks: number;
  readonly running: number;
  readonly minimumAllowedTasks: number;
  readonly speculativeCapTotal: number;
  readonly speculativeCapRunning: number;
}): number {
  const ofAll = Math.trunc(Math.max(of.minimumAllowedTasks, of.speculativeCapTotal * of.tasks));
  return Math.trunc(Math.max(ofAll, of.speculativeCapRunning * of.running));
}

/**
 * Strictly more counts. Ties go to the lower task; Hadoop's go by the hash of a task's id, which
 * differs between processes.
 */
const better = (best: Worth, other: Worth): Worth =>
  MOST_GAIN_FIRST(other, best) < 0 ? other : best;

const MOST_GAIN_FIRST = mostFirst<Worth>(
  ({ gainMs }) => gainMs,
  ({ task }) => task,
);

// Hadoop's request names at most the hosts of the data: a copy may land beside its original.
const ANYWHERE: Where = { on: "any" };

/** Mended: not where the task has run, if there is another node for it. */
function elsewhere({ view }: YarnContext, { task }: Worth): Where {
  const nodes = [...new Set(view.attemptsOf(task).map(({ node }) => node))];
  const kinds = view.phase(view.task(task).phase).slots;
  for (const { id, slots } of view.nodes()) {
    if (nodes.includes(id)) continue;
    if (slots.some(({ kind, count }) => count > 0 && kinds.includes(kind))) {
      return { on: "all-but", nodes };
    }
  }
  return ANYWHERE;
}
