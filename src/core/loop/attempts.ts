import { assert } from "../../base/assert.ts";
import type { Action, KillThen } from "../../model/action.ts";
import type { AttemptKind } from "../../model/attempt.ts";
import type { AttemptEvent } from "../../model/event.ts";
import type { AttemptEnd } from "../../model/fact.ts";
import {
  after,
  attemptId,
  type Instant,
  type RequestId,
  type SlotKind,
  type TaskId,
} from "../../model/ids.ts";
import type { ProgressSource, ReportedProgress } from "../../model/progress.ts";
import type { Why } from "../../model/why.ts";
import type { NodeRecord } from "../state/node-record.ts";
import {
  type AttemptRecord,
  NO_ATTEMPTS,
  type PhaseRecord,
  type TaskRecord,
} from "../state/records.ts";
import { countActive, isLive } from "../state/running.ts";
import { setFree } from "../state/slots.ts";
import { enterTask } from "../state/task-record.ts";
import { forgetOldReports, scoreAt } from "../statistics/progress.ts";
import { changed } from "./changed.ts";
import type { Core } from "./core.ts";
import { stopWaiting, waitAgain } from "./tasks.ts";

export type LaunchAction = Extract<Action, { readonly kind: "launch" }>;

export interface Launch {
  readonly task: TaskRecord;
  readonly node: NodeRecord;
  readonly kind: SlotKind;
  readonly as: AttemptKind;
  readonly why: Why;
  readonly request?: RequestId;
}

/** Takes a held slot and assumes that the host will carry out the launch. */
export function launch(core: Core, what: Launch): void {
  const { task, node, kind, as, why, request } = what;
  assert(task.needed, "a finished task is not launched");
  takeSlot(core, node, kind);
  const { id: attempt } = enter(core, what);
  const of = { attempt, task: task.id, as, node: node.id, slot: kind, request, why };
  announceLaunch(core, { kind: "launch", ...of });
}

export function takeSlot(core: Core, node: NodeRecord, kind: SlotKind): void {
  const free = node.free(kind);
  assert(node.usable, "a launch is on a joined node that is heard");
  assert(free > 0, "a launch takes a free slot");
  setFree(core.state, node, kind, free - 1);
  // Others may have been declined because a task prefers the slot that is taken now: the declined
  // slots are asked about again.
  const { beganToWait, deferredKinds } = core.state;
  if (deferredKinds.size > 0 && deferredKinds.delete(kind)) beganToWait.add(kind);
}

/** Asks the host to launch the attempt, and tells the policies. */
export function announceLaunch(core: Core, action: LaunchAction): void {
  core.emit(action);
  if (core.seats.hearers["attempt-assumed"] === undefined) return;
  const { attempt, node, task } = action;
  const locality = core.view.locality(task, node);
  core.notify({ at: core.now, kind: "attempt-assumed", attempt, locality });
}

/**
 * Adds an attempt that the core launches, or that the host has started by itself (then without a
 * `why`).
 */
export function enter(
  core: Core,
  { task, node, kind, as, why, request }: Omit<Launch, "why"> & Partial<Launch>,
): AttemptRecord {
  const { state } = core;
  if (task.waiting) stopWaiting(core, task);
  const id = attemptId(state.nextAttempt++);
  const attempt = state.attempts.add({ id, task, host: node, kind, as, at: core.now });
  enterTask(state, task, attempt);
  // Most tasks have one attempt. A literal list of one takes a quarter of the memory of a list that
  // has grown to one.
  if (task.attempts === NO_ATTEMPTS) task.attempts = [attempt];
  else task.attempts.push(attempt);
  if (task.unended === 0) task.workSince = id;
  countActive(task, -1);
  task.unended++;
  countActive(task, 1);
  if (task.unended > 1 || !task.needed) {
    for (const { row } of task.attempts) state.attempts.table.setShared(row);
  }
  task.phase.job.unended++;
  state.nodeTable.launched(node.id, attempt.row);
  const { phase } = task;
  countRunning(core, phase, kind, { as, by: 1 });
  if (state.keepsRunning) phase.launched.push(id);
  if (as === "speculative") phase.speculatedTasks.add(task);
  const of = { attempt: id, task: task.id, node: node.id, slot: kind, as, why, request };
  recordLaunch(core, of, task.isPlaced);
  return attempt;
}

/** An attempt that the host has started by itself has no `why`. */
export function recordLaunch(
  core: Core,
  of: Omit<LaunchAction, "kind" | "why"> & { readonly why: Why | undefined },
  isPlaced: boolean,
): void {
  if (!core.wants["attempt-launched"]) return;
  const { attempt, task, node, slot, as, why, request } = of;
  core.record({
    kind: "attempt-launched",
    at: core.now,
    attempt,
    task,
    node,
    as,
    launchedAt: core.now,
    slot,
    locality: isPlaced ? core.view.locality(task, node) : undefined,
    request,
    why,
  });
}

/**
 * The node has fallen silent before it confirmed the launch. The attempt counts as begun at its
 * launch, with no progress: otherwise policies would take it for too young until the node is lost.
 */
export function presumeStarted(core: Core, attempt: AttemptRecord): void {
  attempt.startedAt = attempt.launchedAt;
  attempt.state = "running";
  changed(core, attempt);
  recordStart(core, attempt, attempt.launchedAt);
}

export function start(core: Core, attempt: AttemptRecord, progress: ProgressSource): void {
  const startedAt = progress.kind === "reported" ? core.now : progress.startedAt;
  attempt.start(startedAt);
  recordStart(core, attempt, startedAt);
  report(core, attempt, progress);
}

export function report(core: Core, attempt: AttemptRecord, progress: ProgressSource): void {
  if (progress.kind === "reported" && isOlder(progress, attempt.progress)) return;
  if (attempt.phase.unheard > 0) markHeard(attempt.record);
  attempt.progress = progress;
  if (progress.kind === "reported") {
    const cold = attempt.ensureColdFields();
    cold.reports ??= [];
    cold.reports.push(progress);
    forgetOldReports(cold.reports, (at) => core.now > after(at, core.state.setup.reportsKeptMs));
    cold.stages ??= [];
    if (cold.stages[cold.stages.length - 1]?.stage !== progress.stage) {
      const { stage, at, score } = progress;
      cold.stages.push({ stage, at, score });
    }
  }
  changed(core, attempt);
}

/** Whether a later report has overtaken this one. */
const isOlder = (progress: ReportedProgress, known: ProgressSource | undefined): boolean =>
  known?.kind === "reported" && progress.at < known.at;

/**
 * Asks the host to end the attempt. The attempt holds its slot until the host reports the end; on a
 * silent node it ends at once.
 */
export function kill(
  core: Core,
  attempt: AttemptRecord,
  then: KillThen,
  why: Why,
  keptFor?: TaskId,
): void {
  if (!attempt.holdsSlot || attempt.state === "dying") return;
  core.emit({
    kind: "kill",
    attempt: attempt.id,
    then,
    ...(keptFor !== undefined && { for: keptFor }),
    why,
  });
  const { record } = attempt;
  countActive(record, -1);
  attempt.state = "dying";
  attempt.ensureColdFields().killing = { then, why, since: core.now };
  if (core.wants["attempt-dying"]) {
    const { id, task, node, as, launchedAt, startedAt } = attempt;
    const of = { attempt: id, task, node, as, launchedAt, startedAt };
    const score = scoreAt(attempt, core.now);
    core.record({ kind: "attempt-dying", at: core.now, ...of, score, then, why });
  }
  const mishaps = record.ensureMishaps();
  mishaps.dying++;
  countActive(record, 1);
  if (then === "restart") mishaps.restarts++;
  changed(core, attempt);
  unlist(attempt);
  if (!attempt.host.usable) endKilled(core, attempt, "us");
}

/**
 * Ends a killed attempt; its task waits again if it needs another attempt. `since`: when the node
 * was last heard, if the attempt is lost with its node.
 */
export function endKilled(
  core: Core,
  attempt: AttemptRecord,
  by: KilledBy,
  since = core.now,
): void {
  const killing = attempt.coldFields?.killing;
  const restart = by === "us" && killing?.then === "restart";
  // A kill that the core asked for stays a kill, even if something else ends the attempt.
  if (killing !== undefined) end(core, attempt, { how: "killed", by: "core", ...killing });
  else if (by === "node-lost") end(core, attempt, { how: "lost", since });
  else end(core, attempt, BY_HOST);
  waitAgain(core, attempt.record, restart ? "restart" : "rerun");
}

type KilledBy = (AttemptEvent & { kind: "attempt-killed" })["by"];

const BY_HOST: AttemptEnd = { how: "killed", by: "host" };

export function end(core: Core, attempt: AttemptRecord, how: AttemptEnd): void {
  assert(attempt.holdsSlot, "an attempt ends once");
  const { record: task, phase } = attempt;
  const { job } = phase;
  countActive(task, -1);
  if (attempt.state === "dying") task.ensureMishaps().dying--;
  attempt.end(how.how === "succeeded" || how.how === "failed" ? how.how : "killed", core.now);
  markHeard(task);
  task.unended--;
  countActive(task, 1);
  job.unended--;
  const { nodeTable } = core.state;
  nodeTable.ended(attempt.node, attempt.row);
  if (how.how === "succeeded") nodeTable.countSuccess(attempt.node);
  countRunning(core, phase, attempt.kind, { as: attempt.as, by: -1 });
  changed(core, attempt);
  unlist(attempt);
  if (task.unended === 0) phase.touch(task);
  if (!job.live && job.unended === 0) core.state.ended.add(job);
  recordEnd(core, attempt.row, how);
}

export function recordEnd(core: Core, row: number, end: AttemptEnd): void {
  if (!core.wants["attempt-ended"]) return;
  const { table } = core.state.attempts;
  core.record({
    kind: "attempt-ended",
    at: core.now,
    attempt: table.id(row),
    task: table.task(row),
    node: table.node(row),
    as: table.as(row),
    launchedAt: table.launchedAt(row),
    startedAt: table.startedAt(row),
    end,
  });
}

function recordStart(core: Core, attempt: AttemptRecord, startedAt: Instant): void {
  if (!core.wants["attempt-started"]) return;
  core.record({
    kind: "attempt-started",
    at: core.now,
    attempt: attempt.id,
    task: attempt.task,
    node: attempt.node,
    as: attempt.as,
    launchedAt: attempt.launchedAt,
    startedAt,
    presumed: !attempt.confirmed,
  });
}

/** The core has heard of an attempt of the task. */
function markHeard(task: TaskRecord): void {
  if (!task.mishaps.unheard) return;
  task.ensureMishaps().unheard = false;
  task.phase.unheard--;
}

/** A task without a live copy is not being speculated. */
function unlist({ as, record }: AttemptRecord): void {
  if (as !== "speculative") return;
  if (record.attempts.some((other) => other.as === "speculative" && isLive(other))) return;
  record.phase.speculatedTasks.delete(record);
}

export function countRunning(
  core: Core,
  phase: PhaseRecord,
  kind: SlotKind,
  { as, by }: { readonly as: AttemptKind; readonly by: 1 | -1 },
): void {
  const load = core.state.load[kind]!;
  phase.running += by;
  load.running += by;
  load.runningAs[as] += by;
  const { own, pool, user } = phase.job;
  own.running[kind] = own.running[kind]! + by;
  pool.running[kind] = pool.running[kind]! + by;
  user.running[kind] = user.running[kind]! + by;
}
