import { assert } from "../base/assert.ts";
import type { KillThen } from "../model/action.ts";
import type { AttemptKind } from "../model/attempt.ts";
import type { AttemptEvent } from "../model/event.ts";
import type { AttemptEnd } from "../model/fact.ts";
import { attemptId, type Instant, type RequestId, type SlotKind } from "../model/ids.ts";
import type { ProgressSource, ReportedProgress } from "../model/progress.ts";
import type { Why } from "../model/why.ts";
import { changed } from "./changed.ts";
import type { Core } from "./core.ts";
import type { NodeRecord } from "./node-record.ts";
import { scoreAt } from "./progress.ts";
import { type AttemptRecord, NO_ATTEMPTS, type TaskRecord } from "./records.ts";
import { countActive, isLive } from "./running.ts";
import { setFree } from "./slots.ts";
import { enterTask } from "./task-record.ts";
import { stopWaiting, waitAgain } from "./tasks.ts";

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
  assert(node.usable, "a launch is on a joined node that is heard");
  assert(node.free(kind) > 0, "a launch takes a free slot");
  assert(task.needed, "a finished task is not launched");
  setFree(core.state, node, kind, node.free(kind) - 1);
  // Other slots may have been left because a task prefers the slot that is taken now: the left
  // slots are asked about again.
  if (core.state.leftForBetter[kind]) {
    core.state.leftForBetter[kind] = false;
    core.state.beganToWait[kind] = true;
  }
  const { id } = enter(core, what);
  core.emit({
    kind: "launch",
    attempt: id,
    task: task.id,
    as,
    node: node.id,
    slot: kind,
    request,
    why,
  });
  if (!core.seats.hears("attempt-assumed")) return;
  const locality = core.view.locality(task.id, node.id);
  core.notify({ at: core.now, kind: "attempt-assumed", attempt: id, locality });
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
  task.phase.job.unended++;
  state.nodeTable.launched(node.id, attempt.row);
  countRunning(core, attempt, 1);
  const { phase } = task;
  if (state.keepsRunning) phase.launched.push(id);
  if (as === "speculative") phase.speculatedTasks.add(task);
  if (core.records("attempt-launched")) {
    const { isPlaced } = task;
    core.record({
      kind: "attempt-launched",
      at: core.now,
      attempt: id,
      task: task.id,
      node: node.id,
      as,
      launchedAt: core.now,
      slot: kind,
      locality: isPlaced ? core.view.locality(task.id, node.id) : undefined,
      request,
      why,
    });
  }
  return attempt;
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
  attempt.confirm();
  attempt.startedAt = startedAt;
  recordStart(core, attempt, startedAt);
  if (attempt.state === "assumed") attempt.state = "running";
  report(core, attempt, progress);
}

export function report(core: Core, attempt: AttemptRecord, progress: ProgressSource): void {
  if (progress.kind === "reported" && isOlder(progress, attempt.progress)) return;
  if (attempt.phase.unheard > 0) markHeard(attempt.record);
  attempt.progress = progress;
  if (progress.kind === "reported") {
    const rare = attempt.ownRare();
    rare.reports ??= [];
    rare.reports.push(progress);
    const oldest = core.now - core.state.setup.reportsKeptMs;
    while (rare.reports.length > 1 && rare.reports[0]!.at < oldest) rare.reports.shift();
    rare.stages ??= [];
    if (rare.stages[rare.stages.length - 1]?.stage !== progress.stage) {
      const { stage, at, score } = progress;
      rare.stages.push({ stage, at, score });
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
export function kill(core: Core, attempt: AttemptRecord, then: KillThen, why: Why): void {
  if (!attempt.holdsSlot || attempt.state === "dying") return;
  core.emit({ kind: "kill", attempt: attempt.id, then, why });
  const { record } = attempt;
  countActive(record, -1);
  attempt.state = "dying";
  attempt.ownRare().killing = { then, why, since: core.now };
  if (core.records("attempt-dying")) {
    const { id, task, node, as, launchedAt, startedAt } = attempt;
    const of = { attempt: id, task, node, as, launchedAt, startedAt };
    const score = scoreAt(attempt, core.now);
    core.record({ kind: "attempt-dying", at: core.now, ...of, score, then, why });
  }
  const mishaps = record.ownMishaps();
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
  const killing = attempt.rare?.killing;
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
  if (attempt.state === "dying") task.ownMishaps().dying--;
  attempt.state = how.how === "succeeded" || how.how === "failed" ? how.how : "killed";
  attempt.endedAt = core.now;
  markHeard(task);
  task.unended--;
  countActive(task, 1);
  job.unended--;
  const { nodeTable } = core.state;
  nodeTable.ended(attempt.node, attempt.row);
  if (how.how === "succeeded") {
    nodeTable.setSucceeded(attempt.node, nodeTable.succeeded(attempt.node) + 1);
  }
  countRunning(core, attempt, -1);
  changed(core, attempt);
  unlist(attempt);
  if (task.unended === 0) phase.touch(task);
  if (!job.live && job.unended === 0) core.state.ended.add(job);
  if (core.records("attempt-ended")) {
    core.record({
      kind: "attempt-ended",
      at: core.now,
      attempt: attempt.id,
      task: attempt.task,
      node: attempt.node,
      as: attempt.as,
      launchedAt: attempt.launchedAt,
      startedAt: attempt.startedAt,
      end: how,
    });
  }
}

function recordStart(core: Core, attempt: AttemptRecord, startedAt: Instant): void {
  if (!core.records("attempt-started")) return;
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
  task.ownMishaps().unheard = false;
  task.phase.unheard--;
}

/** A task without a live copy is not being speculated. */
function unlist({ as, record }: AttemptRecord): void {
  if (as !== "speculative") return;
  if (record.attempts.some((other) => other.as === "speculative" && isLive(other))) return;
  record.phase.speculatedTasks.delete(record);
}

function countRunning(core: Core, attempt: AttemptRecord, change: 1 | -1): void {
  const { kind, phase } = attempt;
  const load = core.state.load[kind]!;
  phase.running += change;
  load.running += change;
  load.runningAs[attempt.as] += change;
  const { own, pool, user } = phase.job;
  own.running[kind] = own.running[kind]! + change;
  pool.running[kind] = pool.running[kind]! + change;
  user.running[kind] = user.running[kind]! + change;
}
