import { assert } from "../base/assert.ts";
import type { KillThen } from "../model/action.ts";
import type { AttemptKind } from "../model/attempt.ts";
import { attemptId, type RequestId, type SlotKind } from "../model/ids.ts";
import type { ProgressSource } from "../model/progress.ts";
import type { Why } from "../model/why.ts";
import type { Core } from "./core.ts";
import { setFree } from "./slots.ts";
import {
  AttemptRecord,
  NO_ATTEMPTS,
  type NodeRecord,
  type Share,
  type TaskRecord,
} from "./state.ts";
import { stopWaiting, waitAgain } from "./tasks.ts";

export interface Launch {
  readonly task: TaskRecord;
  readonly node: NodeRecord;
  readonly kind: SlotKind;
  readonly as: AttemptKind;
  readonly why: Why;
  readonly request?: RequestId;
}

/** Takes a held slot, and assumes that the host will do as it is asked. */
export function launch(core: Core, what: Launch): void {
  const { task, node, kind, as, why, request } = what;
  assert(node.usable, "a launch is on a node that is there and heard");
  assert(node.free[kind]!.count > 0, "a launch takes a free slot");
  assert(!task.done || task.recomputing, "a finished task is not launched");
  setFree(core.state, node, kind, node.free[kind]!.count - 1);
  const { id } = enter(core, what);
  const { id: on } = node.node;
  const bound = request === undefined ? {} : { request };
  const at = core.now;
  core.emit({
    kind: "launch",
    attempt: id,
    task: task.task.id,
    as,
    node: on,
    slot: kind,
    ...bound,
    why,
  });
  const locality = core.view.locality(task.task.id, node.node.id);
  core.tell({ at, kind: "attempt-assumed", attempt: id, locality });
}

/** A new attempt, by a launch or because the host started it by itself. */
export function enter(
  core: Core,
  { task, node, kind, as }: Omit<Launch, "why" | "request">,
): AttemptRecord {
  const { state } = core;
  if (task.waiting) stopWaiting(core, task);
  const id = attemptId(state.nextAttempt++);
  const attempt = new AttemptRecord(id, task, node, kind, as, core.now);
  state.attempts.set(id, attempt);
  if (task.attempts === NO_ATTEMPTS) task.attempts = [];
  task.attempts.push(attempt);
  task.unended++;
  task.phase.job.unended++;
  node.running.push(attempt);
  countRunning(core, attempt, 1);
  recordLaunch(task.phase.job.pool, attempt);
  listTask(task);
  return attempt;
}

export function start(core: Core, attempt: AttemptRecord, progress: ProgressSource): void {
  attempt.startedAt = progress.kind === "curve" ? progress.startedAt : core.now;
  if (attempt.state === "assumed") attempt.state = "running";
  report(core, attempt, progress);
}

export function report(core: Core, attempt: AttemptRecord, progress: ProgressSource): void {
  attempt.progress = progress;
  if (progress.kind === "reported") {
    attempt.reports ??= [];
    attempt.reports.push(progress);
    const oldest = core.now - core.state.setup.reportsKeptMs;
    while (attempt.reports.length > 1 && attempt.reports[0]!.at < oldest) attempt.reports.shift();
    attempt.stages ??= [];
    if (attempt.stages[attempt.stages.length - 1]?.stage !== progress.stage) {
      const { stage, at, score } = progress;
      attempt.stages.push({ stage, at, score });
    }
  }
  attempt.record.phase.rates.update(attempt);
}

/**
 * Asks the host to end it. It holds its slot until the host says so; on a silent node nobody will.
 */
export function kill(core: Core, attempt: AttemptRecord, then: KillThen, why: Why): void {
  if (!attempt.holdsSlot || attempt.state === "dying") return;
  core.emit({ kind: "kill", attempt: attempt.id, then, why });
  attempt.state = "dying";
  attempt.then = then;
  if (then === "restart") attempt.record.restarts++;
  attempt.record.phase.rates.update(attempt);
  listTask(attempt.record);
  if (!attempt.host.usable) endKilled(core, attempt, "us");
}

/** It was killed; the task waits again if it needs another attempt. */
export function endKilled(core: Core, attempt: AttemptRecord, by: "us" | "node-lost" | "host") {
  const restart = attempt.state === "dying" && attempt.then === "restart" && by === "us";
  end(core, attempt, "killed");
  waitAgain(core, attempt.record, restart ? "restart" : "rerun");
}

export function end(
  core: Core,
  attempt: AttemptRecord,
  as: "succeeded" | "failed" | "killed",
): void {
  assert(attempt.holdsSlot, "an attempt ends once");
  const { record: task, host } = attempt;
  attempt.state = as;
  attempt.endedAt = core.now;
  task.unended--;
  task.phase.job.unended--;
  takeOut(host.running, attempt);
  if (as === "succeeded") host.succeeded++;
  countRunning(core, attempt, -1);
  task.phase.rates.update(attempt);
  listTask(task);
  if (task.unended === 0) core.state.settled.push(task);
  const { job } = task.phase;
  if (!job.live && job.unended === 0) core.state.ended.add(job);
}

/** Running tasks and those with a copy, from what their attempts are now. */
function listTask(task: TaskRecord): void {
  let running = false;
  let speculated = false;
  for (const { state, as } of task.attempts) {
    if (state !== "assumed" && state !== "running") continue;
    running = true;
    if (as === "speculative") speculated = true;
  }
  if (running) task.phase.runningTasks.add(task);
  else task.phase.runningTasks.delete(task);
  if (speculated) task.phase.speculatedTasks.add(task);
  else if (task.phase.speculatedTasks.size > 0) task.phase.speculatedTasks.delete(task);
}

/** The others keep their order. A splice would make an array for what it takes out. */
function takeOut(attempts: AttemptRecord[], attempt: AttemptRecord): void {
  for (let i = attempts.indexOf(attempt); i < attempts.length - 1; i++) {
    attempts[i] = attempts[i + 1]!;
  }
  attempts.pop();
}

function countRunning(core: Core, attempt: AttemptRecord, change: 1 | -1): void {
  const { phase } = attempt.record;
  const { kind } = attempt;
  const load = core.state.load[kind]!;
  phase.running += change;
  load.running += change;
  load.runningAs[attempt.as] += change;
  const { own, pool, user } = phase.job;
  own.running[kind] = own.running[kind]! + change;
  pool.running[kind] = pool.running[kind]! + change;
  user.running[kind] = user.running[kind]! + change;
}

function recordLaunch(pool: Share, attempt: AttemptRecord): void {
  const launched = pool.launched[attempt.kind]!;
  launched.push(attempt);
  if (launched.length < 64 || launched.length < 2 * pool.running[attempt.kind]!) return;
  pool.launched[attempt.kind] = launched.filter((other) => other.holdsSlot);
}
