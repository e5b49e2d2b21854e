import { assert, never } from "../../base/assert.ts";
import type { Node, SlotCounts } from "../../model/cluster.ts";
import type { AttemptEvent, ClusterEvent, FailureCause } from "../../model/event.ts";
import type { NodeId, SlotKind } from "../../model/ids.ts";
import { rule } from "../../model/why.ts";
import { changeClusterSize } from "../state/cluster-size.ts";
import { countFailure } from "../state/failures.ts";
import { NodeRecord } from "../state/node-record.ts";
import type { AttemptRecord, TaskRecord } from "../state/records.ts";
import { countRemaining } from "../state/remaining.ts";
import { changeUsable, setFree } from "../state/slots.ts";
import { launchedTask, openTask } from "../state/task-record.ts";
import { succeedAlone } from "./alone.ts";
import { perform } from "./asks.ts";
import { end, endKilled, enter, kill, presumeStarted, report, start } from "./attempts.ts";
import { changed } from "./changed.ts";
import type { Core } from "./core.ts";
import { endJob, readyPhases, submit, taskFinished, tellInputWritten } from "./jobs.ts";
import { addCopy, keepOutput, recordOutput } from "./outputs.ts";
import { fetchFailed, loseCopy, loseNode } from "./recover.ts";
import { dropRequest, withdrawAll } from "./requests.ts";
import { stopWaiting, waitAgain } from "./tasks.ts";

const TWIN_SUCCEEDED = rule("twin-succeeded");
const TOO_MANY_FAILURES = rule("too-many-failures");
const BAD_INPUT = rule("bad-input");
const JOB_KILLED = rule("killed-by-user");

/**
 * Makes an event true in the state. Returns false for an event about something that is over: a job
 * that has ended, an attempt that had ended before, a node that is lost. Policies never see such an
 * event.
 */
export function apply(core: Core, event: ClusterEvent): boolean {
  const { state } = core;
  switch (event.kind) {
    case "node-joined":
      joinNode(core, event.node);
      return true;
    case "node-silent":
      return silenceNode(core, event);
    case "node-heard":
      return nodeHeard(core, event.node);
    case "node-left": {
      const node = joinedNode(core, event.node);
      if (node !== undefined) loseNode(core, node);
      return node !== undefined;
    }
    case "node-resized":
      return resizeNode(core, event);
    case "slots-offered":
      return offerSlots(core, event);
    case "job-submitted":
      submit(core, event.job);
      return true;
    case "job-killed": {
      const job = state.jobs.get(event.job);
      if (job?.live) endJob(core, job, "killed", JOB_KILLED);
      return job !== undefined;
    }
    case "attempt-started":
    case "attempt-progressed":
    case "attempt-succeeded":
    case "attempt-failed":
    case "attempt-killed":
      return applyToAttempt(core, event);
    case "fetch-failed":
    case "output-lost":
    case "output-replicated":
      return applyToOutput(core, event);
    case "launch-refused":
      return undoLaunch(core, event);
    case "request-refused": {
      const request = state.requests.get(event.request);
      if (request !== undefined) dropRequest(core, request, "refused");
      return request !== undefined;
    }
    case "links-sampled": {
      const { upBytesPerMs, downBytesPerMs } = event;
      state.links[event.rack] = { upBytesPerMs, downBytesPerMs };
      return true;
    }
    case "sharing-tuned":
      core.seats.tuneSharing(event.parameter, event.value);
      return true;
    case "woken":
      return true;
    default:
      return never(event);
  }
}

function joinNode(core: Core, node: Node): void {
  const { state } = core;
  const known = state.nodes[node.id];
  if (known === undefined) {
    while (state.nodes.length < node.id) state.nodes.push(undefined);
    state.nodes[node.id] = new NodeRecord(node, state.nodeTable);
    state.nodeScores.changed(node.id);
    changeClusterSize(state, 1);
  } else {
    const since = known.silentSince ?? core.now;
    // When a node comes back, its attempts are gone; its outputs remain unless they were lost.
    for (const kind of state.kinds) setFree(state, known, kind, 0);
    if (known.joined) for (const { kind, count } of known.node.slots) slotsOf(core, kind, -count);
    else changeClusterSize(state, 1);
    changeUsable(state, known, () => {
      known.joined = true;
      known.silentSince = undefined;
      known.node = node;
    });
    state.silent.delete(known);
    for (const attempt of state.attempts.on(known)) endKilled(core, attempt, "node-lost", since);
  }
  for (const { kind, count } of node.slots) slotsOf(core, kind, count);
  if (core.wants["node-joined"])
    core.record({ at: core.now, kind: "node-joined", node, again: known !== undefined });
}

function slotsOf(core: Core, kind: SlotKind, change: number): void {
  core.state.load[kind]!.slots += change;
}

function silenceNode(core: Core, event: ClusterEvent & { kind: "node-silent" }): boolean {
  const node = joinedNode(core, event.node);
  if (node === undefined || node.silentSince !== undefined) return false;
  changeUsable(core.state, node, () => {
    node.silentSince = event.since;
  });
  core.state.silent.add(node);
  if (core.wants["node-silent"])
    core.record({ at: core.now, kind: "node-silent", node: node.id, since: event.since });
  for (const attempt of core.state.attempts.on(node)) {
    // A silent node reports no end, so an attempt that was being killed counts as dead.
    if (attempt.state === "dying") endKilled(core, attempt, "us");
    else if (attempt.state === "assumed") presumeStarted(core, attempt);
    else changed(core, attempt);
  }
  return true;
}

function nodeHeard(core: Core, id: NodeId): boolean {
  const node = joinedNode(core, id);
  if (node?.silentSince === undefined) return false;
  changeUsable(core.state, node, () => {
    node.silentSince = undefined;
  });
  core.state.silent.delete(node);
  if (core.wants["node-heard"]) core.record({ at: core.now, kind: "node-heard", node: id });
  for (const attempt of core.state.attempts.on(node)) changed(core, attempt);
  return true;
}

/** Free slots that are gone are no longer offered. */
function resizeNode(core: Core, event: ClusterEvent & { kind: "node-resized" }): boolean {
  const { slots } = event;
  const node = joinedNode(core, event.node);
  if (node === undefined) return false;
  for (const { kind, count } of node.node.slots) slotsOf(core, kind, -count);
  for (const { kind, count } of slots) slotsOf(core, kind, count);
  node.node = { ...node.node, slots };
  for (const kind of core.state.kinds) {
    const most = countOf(slots, kind);
    if (node.free(kind) > most) setFree(core.state, node, kind, most);
  }
  return true;
}

export function offerSlots(
  core: Core,
  { node: id, free }: { readonly node: NodeId; readonly free: SlotCounts },
): boolean {
  const node = joinedNode(core, id);
  if (node === undefined) return false;
  for (const kind of core.state.kinds) setFree(core.state, node, kind, countOf(free, kind));
  return true;
}

function countOf(slots: SlotCounts, wanted: SlotKind): number {
  for (const { kind, count } of slots) if (kind === wanted) return count;
  return 0;
}

function joinedNode(core: Core, id: NodeId): NodeRecord | undefined {
  const node = core.view.nodeRecord(id);
  return node.joined ? node : undefined;
}

export function applyToAttempt(core: Core, event: ClusterEvent & AttemptEvent): boolean {
  if (event.kind === "attempt-succeeded" && succeedAlone(core, event)) return true;
  let attempt = core.state.attempts.find(event.attempt);
  if (event.kind === "attempt-started" && event.attempt === core.state.nextAttempt) {
    attempt = enterByHost(core, event);
  }
  if (attempt === undefined || !attempt.holdsSlot) return false;
  switch (event.kind) {
    case "attempt-started":
      start(core, attempt, event.progress);
      // A host that starts attempts by itself may not know yet that the task is finished.
      if (!attempt.isNeeded) kill(core, attempt, "nothing", TWIN_SUCCEEDED);
      return true;
    case "attempt-progressed":
      report(core, attempt, event.progress);
      return true;
    case "attempt-succeeded":
      return succeed(core, attempt, event);
    case "attempt-failed":
      fail(core, attempt, event.cause);
      return true;
    case "attempt-killed":
      endKilled(core, attempt, event.by);
      return true;
    default:
      return never(event);
  }
}

/** A host without offers binds requests and replaces killed attempts by itself. */
function enterByHost(
  core: Core,
  event: ClusterEvent & { kind: "attempt-started" },
): AttemptRecord | undefined {
  const task = openTask(core.state, event.task);
  if (task === undefined || !task.phase.job.live) {
    core.state.nextAttempt++;
    return undefined;
  }
  const request = event.request === undefined ? undefined : core.state.requests.get(event.request);
  if (request !== undefined) dropRequest(core, request, "bound");
  const node = core.view.nodeRecord(event.node);
  const kind = task.phase.phase.slots[0];
  assert(kind !== undefined, "a phase accepts some kind of slot");
  const bound = request === undefined ? {} : { request: request.id };
  return enter(core, { task, node, kind, as: event.as, ...bound });
}

function succeed(
  core: Core,
  attempt: AttemptRecord,
  event: ClusterEvent & { kind: "attempt-succeeded" },
): boolean {
  const { record: task, host } = attempt;
  const { phase } = task;
  // The first of two attempts to finish counts; no attempt counts once the job is over.
  if (!phase.job.live || !task.needed) {
    endKilled(core, attempt, "us");
    return false;
  }
  end(core, attempt, { how: "succeeded", output: event.output });
  const first = !task.done;
  task.done = true;
  if (task.mishaps.recomputing) {
    phase.recomputing--;
    countRemaining(core.state, phase, -1);
    if (task.outputNodes.length === 0) phase.gone--;
    task.ensureMishaps().recomputing = false;
    task.ensureMishaps().recomputeDue = false;
  }
  if (task.waiting) stopWaiting(core, task);
  for (const other of task.attempts) kill(core, other, "nothing", TWIN_SUCCEEDED);
  withdrawAll(core, task, TWIN_SUCCEEDED);
  keepOutput(core, task, host, event.output);
  recordOutput(core, attempt.row, event.output, first);
  for (const seat of core.seats.data) {
    const asks = seat.policy.onOutput?.(seat.ctx, task.id);
    if (asks !== undefined) perform(core, seat, asks);
  }
  if (first) taskFinished(core, phase);
  else readyPhases(core, phase.job);
  tellInputWritten(core, phase);
  return true;
}

function fail(core: Core, attempt: AttemptRecord, cause: FailureCause): void {
  const { record: task, host } = attempt;
  end(core, attempt, { how: "failed", cause });
  // How the other attempts of a finished task end does not matter.
  if (!task.needed) return;
  countFailure(task, host);
  if (cause === "bad-input") endForBadInput(core, task);
  else {
    endAtLimit(core, task);
    // A task of a job that has just ended does not wait.
    waitAgain(core, task, "retry");
  }
}

/** The same bytes would fail every attempt, so no further attempt is worth its time. */
function endForBadInput(core: Core, task: TaskRecord): void {
  const why = core.why(BAD_INPUT, () => ({ task: nameOf(task) }));
  endJob(core, task.phase.job, "failed", why);
}

const nameOf = ({ phase, task }: TaskRecord): string => `${phase.phase.name}/${task.index}`;

/** A task's fourth failure ends its job. Kills do not count. */
function endAtLimit(core: Core, task: TaskRecord): void {
  const { attemptsMax } = core.state.setup;
  const { failures } = task.mishaps;
  if (failures < attemptsMax) return;
  const why = core.why(TOO_MANY_FAILURES, () => ({
    task: nameOf(task),
    failures,
    attemptsMax,
  }));
  endJob(core, task.phase.job, "failed", why);
}

function applyToOutput(
  core: Core,
  event: ClusterEvent & { kind: "fetch-failed" | "output-lost" | "output-replicated" },
): boolean {
  const id = event.kind === "fetch-failed" ? event.output : event.task;
  const task = launchedTask(core.state, id);
  if (task === undefined || !task.phase.job.live) return false;
  const node = core.view.nodeRecord(event.kind === "fetch-failed" ? event.from : event.node);
  switch (event.kind) {
    case "fetch-failed": {
      const failed = fetchFailed(core, task, node);
      if (failed !== undefined) endAtLimit(core, failed);
      return true;
    }
    case "output-lost":
      if (!task.outputNodes.includes(node)) return false;
      loseCopy(core, task, node);
      return true;
    case "output-replicated":
      if (!node.joined || task.outputNodes.length === 0) return false;
      if (addCopy(task, node) && core.wants["output-copied"]) {
        core.record({ at: core.now, kind: "output-copied", task: task.id, node: node.id });
      }
      return true;
    default:
      return never(event);
  }
}

/**
 * The host could not launch the attempt: the task waits again, and the host will report the slot.
 */
function undoLaunch(core: Core, event: ClusterEvent & { kind: "launch-refused" }): boolean {
  const attempt = core.state.attempts.find(event.attempt);
  if (attempt === undefined || !attempt.holdsSlot) return false;
  const { record: task } = attempt;
  end(core, attempt, { how: "refused" });
  // The attempt never ran, so no trace of it is left.
  task.attempts = task.attempts.filter(({ id }) => id !== attempt.id);
  core.state.undone.push(attempt);
  if (core.seats.hearers["assumption-undone"] !== undefined)
    core.notify({ at: core.now, kind: "assumption-undone", attempt: attempt.id });
  waitAgain(core, task, task.next);
  return true;
}
