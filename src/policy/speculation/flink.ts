import { defined } from "../../base/assert.ts";
import { isClearlyAbove, isClearlyBelow } from "../../base/clearly-below.ts";
import { onPaper } from "../../base/on-paper.ts";
import { ascending } from "../../base/order.ts";
import { addRanked, countOf, noneRanked, type Ranked, rankedOf } from "../../base/ranked.ts";
import type { Ask } from "../../model/action.ts";
import type { Attempt, Where } from "../../model/attempt.ts";
import {
  type AttemptId,
  after,
  type Instant,
  type JobId,
  type NodeId,
  type PhaseId,
  type TaskId,
} from "../../model/ids.ts";
import { type Job, mayBeCopied, type Phase } from "../../model/job.ts";
import type { View } from "../../model/view.ts";
import type { Context, SpeculationPolicy } from "../policy.ts";
import { refuse } from "../refuse.ts";
import { isInputWritten } from "../shared/input-written.ts";
import { liveAttempts } from "../shared/live-attempts.ts";
import { FLINK_PARAMS, type FlinkParams } from "./flink/params.ts";

/**
 * Once most tasks of a phase are done, copies every task that takes much longer for its input than
 * the median of the faster ones. A node where a task was slow gets no copy for a while.
 */
export const flink: SpeculationPolicy<FlinkParams, FlinkMemory> = {
  name: "flink",
  source:
    "Flink 1.20, ExecutionTimeBasedSlowTaskDetector, DefaultSpeculativeExecutionHandler (FLIP-168)",
  params: FLINK_PARAMS,
  needs: ["requests"],
  remember: () => ({ jobs: new Map(), blocked: new Map() }),
  hears: {
    "job-submitted"({ memory }, { job }) {
      const medians = new Map(job.phases.map(({ id }) => [id, noneRanked()]));
      memory.jobs.set(job.id, { durations: new Map(), medians });
    },
    "job-ended"({ memory }, { job }) {
      memory.jobs.delete(job);
    },
    "attempt-succeeded": (ctx, { attempt }) => recordSuccess(ctx, attempt),
  },

  // scheduleTask: notifySlowTasks(findSlowTasks(..)), periodically.
  scan(ctx) {
    const { params, view } = ctx;
    const found = [...view.jobs()].map((job) => findInJob(ctx, job));
    // blockSlowNodes comes before any copy is requested.
    const slow = found.flatMap(({ phases }) => phases.flatMap((phase) => phase.slow));
    blockNodes(ctx, slow);
    const where = awayFrom([...ctx.memory.blocked.keys()]);
    const asks = found.flatMap(({ phases, refusals }) => [
      ...refusals,
      ...phases.flatMap((phase) => asksOf(ctx, phase, where)),
    ]);
    return [...asks, { kind: "wake", at: after(view.now, params.checkIntervalMs) }];
  },
};

/** The memory of one job: each job has a JobMaster of its own, and with it a detector. */
interface FlinkJobMemory {
  /** The time in ms from launch to end of each task's last execution. */
  readonly durations: Map<TaskId, number>;
  /**
   * The done tasks' durations by phase, ranked, until a task is recomputed: the median is read
   * every second.
   */
  readonly medians: Map<PhaseId, Ranked>;
}

interface FlinkMemory {
  readonly jobs: Map<JobId, FlinkJobMemory>;
  /**
   * Nodes where a task of any job is or was slow, with the time until which they get no copies: the
   * ResourceManager tells every JobMaster (FLIP-224).
   */
  readonly blocked: Map<NodeId, Instant>;
}

type FlinkContext = Context<FlinkParams, FlinkMemory>;

function recordSuccess({ memory, params, view }: FlinkContext, id: AttemptId): void {
  const { endedAt, launchedAt, task } = view.attempt(id);
  const phase = view.phase(view.task(task).phase);
  const job = memory.jobs.get(phase.job);
  if (endedAt === undefined || job === undefined) return;
  const isMadeAgain = job.durations.has(task);
  const ms = onPaper(endedAt - launchedAt);
  job.durations.set(task, ms);
  if (isMadeAgain) job.medians.delete(phase.id);
  const median = job.medians.get(phase.id);
  if (median !== undefined) addRanked(median, ms, medianRank(phase, params));
}

interface FoundInJob {
  readonly phases: readonly Found[];
  readonly refusals: readonly Ask[];
}

function findInJob(ctx: FlinkContext, job: Job): FoundInJob {
  const memory = ctx.memory.jobs.get(job.id);
  if (memory === undefined) return { phases: [], refusals: [] };
  if (job.speculate === false) {
    return { phases: [], refusals: refuse(ctx, "job-forbids-copies", () => ({})) };
  }
  // A phase that is held back has no slow tasks, but its requests must avoid blocked nodes, too.
  const phases = job.phases.map((phase) =>
    ctx.view.isReady(phase.id) ? findSlow(ctx, memory, phase) : { phase, slow: [], refusals: [] },
  );
  return { phases, refusals: [] };
}

/**
 * DefaultBlocklistTracker: a node stays blocked for a fixed time after it was last seen to be slow.
 */
function blockNodes({ memory, params, view }: FlinkContext, slow: readonly Slow[]): void {
  const { blocked } = memory;
  for (const { attempt } of slow) {
    blocked.set(attempt.node, after(view.now, params.blockSlowNodeMs));
  }
  for (const [node, end] of blocked) if (end <= view.now) blocked.delete(node);
}

const asksOf = (
  ctx: FlinkContext,
  { phase, slow, refusals }: Found,
  where: Where,
): readonly Ask[] => [
  ...askAnew(ctx.view, phase, where),
  ...slow.flatMap((one) => copiesOf(ctx, one, where)),
  ...refusals,
];

interface Slow {
  readonly attempt: Attempt;
  readonly timed: Timed;
  readonly baseline: Timed;
}

interface Found {
  readonly phase: Phase;
  readonly slow: readonly Slow[];
  readonly refusals: readonly Ask[];
}

/** findSlowTasks, for one job vertex. */
function findSlow(ctx: FlinkContext, memory: FlinkJobMemory, phase: Phase): Found {
  const { params, view } = ctx;
  const { done, tasks, waiting } = view.counts(phase.id);
  const none = (rule: string): Found => ({
    phase,
    slow: [],
    refusals: refuse(ctx, rule, () => ({ done, tasks, waiting })),
  });
  if (done / tasks < params.baselineRatio) return none("too-few-done");
  // Slots are given out in the order of the requests: to waiting tasks before copies.
  if (waiting > 0) return none("tasks-wait");
  const { old, young } = runningOf(ctx, phase);
  if (old.length === 0) {
    if (young === undefined) return none("nothing-running");
    const runtimeMs = view.now - young.launchedAt;
    return { phase, slow: [], refusals: refuse(ctx, "too-young", () => ({ runtimeMs })) };
  }
  const isWeighed = knowsInputs(view, phase);
  const baseline = baselineOf(ctx, memory, phase, isWeighed);
  const judged = old.map((attempt): Slow => {
    const ms = view.now - attempt.launchedAt;
    return { attempt, timed: timedOf(view, attempt.task, ms, isWeighed), baseline };
  });
  const slow = judged.filter(({ timed }) => compareTimed(timed, baseline) >= 0);
  const numbers = () => namesOf(judged[0]?.timed ?? baseline, baseline);
  return { phase, slow, refusals: slow.length > 0 ? [] : refuse(ctx, "not-slow", numbers) };
}

/**
 * The attempts that have run for the lower bound, and the first that has not. COST: O(attempts past
 * the bound), as tasks come in launch order.
 */
function runningOf(
  { params, view }: FlinkContext,
  phase: Phase,
): { readonly old: readonly Attempt[]; readonly young?: Attempt } {
  const old: Attempt[] = [];
  for (const task of view.runningTasks(phase.id)) {
    for (const [place, attempt] of liveAttempts(view, task.id).entries()) {
      if (view.now >= after(attempt.launchedAt, params.baselineLowerBoundMs)) old.push(attempt);
      else if (place === 0) return { old, young: attempt };
    }
  }
  return { old };
}

/** ExecutionTimeWithInputBytes; undefined bytes: NUM_BYTES_UNKNOWN. */
export interface Timed {
  readonly ms: number;
  readonly bytes: number | undefined;
}

/**
 * By time per byte, or by time where bytes are unknown: in a phase, bytes are known for all tasks
 * or for none.
 */
export function compareTimed(one: Timed, other: Timed): number {
  const a = weightOf(one);
  const b = weightOf(other);
  if (isClearlyBelow(a, b)) return -1;
  return isClearlyAbove(a, b) ? 1 : 0;
}

const weightOf = ({ ms, bytes }: Timed): number =>
  bytes === undefined ? ms : ms / Math.max(bytes, Number.MIN_VALUE);

/** Flink knows the input bytes of a task that reads finished results, but not those of a source. */
const knowsInputs = (view: View, { id, tasks }: Phase): boolean =>
  view.upstream(id).length > 0 &&
  isInputWritten(view, id) &&
  [...tasks].some((task) => view.inputBytes(task.id) > 0);

const timedOf = (view: View, task: TaskId, ms: number, isWeighed: boolean): Timed => ({
  ms,
  bytes: isWeighed ? view.inputBytes(task) : undefined,
});

/** getBaseline: the median of the fastest N * R done tasks, times M. */
function baselineOf(
  ctx: FlinkContext,
  memory: FlinkJobMemory,
  phase: Phase,
  isWeighed: boolean,
): Timed {
  const { baselineMultiplier, baselineRatio } = ctx.params;
  const count = Math.round(phase.tasks.length * baselineRatio);
  if (count === 0) return { ms: 0, bytes: isWeighed ? 0 : undefined };
  const median =
    (isWeighed ? undefined : knownMedian(ctx.view, memory, phase)) ??
    sortedMedian(ctx, memory, phase, isWeighed);
  return { ...median, ms: Math.trunc(median.ms * baselineMultiplier) };
}

/** undefined if outputs of the phase were lost. */
function knownMedian(view: View, { medians }: FlinkJobMemory, { id }: Phase): Timed | undefined {
  const ranked = medians.get(id);
  if (ranked === undefined || countOf(ranked) !== view.counts(id).done) return undefined;
  return { ms: defined(rankedOf(ranked), "a done task"), bytes: undefined };
}

/** The median over current executions that are FINISHED. COST: a sort, as in the source. */
function sortedMedian(
  { params, view }: FlinkContext,
  memory: FlinkJobMemory,
  phase: Phase,
  isWeighed: boolean,
): Timed {
  const timed = [...phase.tasks].flatMap(({ id }) => {
    const ms = isFinished(view, id) ? memory.durations.get(id) : undefined;
    return ms === undefined ? [] : [timedOf(view, id, ms, isWeighed)];
  });
  timed.sort(ascending(weightOf));
  return defined(timed[medianRank(phase, params)], "a done task");
}

/** The rank of the median among the fastest N * R tasks. */
const medianRank = ({ tasks }: Phase, { baselineRatio }: FlinkParams): number =>
  Math.floor(Math.round(tasks.length * baselineRatio) / 2);

/** Whether the task is done and not being recomputed. */
const isFinished = (view: View, task: TaskId): boolean =>
  view.isDone(task) && !view.isWaiting(task) && liveAttempts(view, task).length === 0;

const awayFrom = (nodes: readonly NodeId[]): Where =>
  nodes.length === 0 ? { on: "any" } : { on: "all-but", nodes };

/** Renews requests of waiting copies, so that they avoid exactly the nodes blocked now. */
function askAnew(view: View, phase: Phase, where: Where): readonly Ask[] {
  return [...view.requests(phase.id)].flatMap(({ id, task, as, where: before }): Ask[] => {
    if (isSame(before, where)) return [];
    const why = { rule: "blocked-nodes-changed", numbers: { blocked: blockedIn(where) } };
    return [
      { kind: "withdraw", request: id, why },
      { kind: "request", task, as, where, why },
    ];
  });
}

const blockedIn = (where: Where): number => (where.on === "any" ? 0 : where.nodes.length);

const isSame = (one: Where, other: Where): boolean =>
  one.on === other.on &&
  (one.on === "any" || (other.on !== "any" && one.nodes.join() === other.nodes.join()));

/** notifySlowTasks: requests as many copies as may run at once. */
function copiesOf(
  ctx: FlinkContext,
  { attempt, timed, baseline }: Slow,
  where: Where,
): readonly Ask[] {
  const { params, view } = ctx;
  const { task } = attempt;
  // isSupportsConcurrentExecutionAttempts, asked after blockSlowNodes: the node is blocked anyway.
  const phase = view.phase(view.task(task).phase);
  if (!mayBeCopied(view.job(phase.job), phase)) {
    return refuse(ctx, "phase-forbids-copies", () => ({}), task);
  }
  const attempts = liveAttempts(view, task);
  const requested = [...view.requests(phase.id)].filter((one) => one.task === task);
  const executions = attempts.length + requested.length;
  const numbers = { ...namesOf(timed, baseline), executions, blocked: blockedIn(where) };
  // If several attempts of a task are slow, only the first requests copies.
  if (attempts[0]?.id !== attempt.id) return [];
  if (executions >= params.maxConcurrentExecutions) {
    return refuse(ctx, "already-speculated", () => numbers, task);
  }
  const why = { rule: "slower-than-baseline", numbers };
  const copy: Ask = { kind: "request", task, as: "speculative", where, why };
  return Array.from({ length: params.maxConcurrentExecutions - executions }, () => copy);
}

const namesOf = (timed: Timed, baseline: Timed): { readonly [name: string]: number } => ({
  runtimeMs: timed.ms,
  baselineMs: baseline.ms,
  ...(timed.bytes === undefined || baseline.bytes === undefined
    ? {}
    : { inputBytes: timed.bytes, baselineBytes: baseline.bytes }),
});
