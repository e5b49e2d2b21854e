import { assert } from "../../base/assert.ts";
import type { AttemptKind } from "../../model/attempt.ts";
import type { SlotKind } from "../../model/ids.ts";
import { NOTHING_WAITS, type PhaseRecord, type TaskRecord } from "../state/records.ts";
import { keepTask, keptTasksOf } from "../state/task-record.ts";
import type { Core } from "./core.ts";
import { isPinned, isPinOver } from "./pins.ts";

/** Makes the task wait for a slot, to be launched as this kind. */
export function beginToWait(core: Core, task: TaskRecord, as: AttemptKind): void {
  assert(!task.waiting, "a task waits once");
  keepTask(core.state, task);
  const { policy, ctx } = core.seats.order;
  task.waiting = true;
  task.next = as;
  task.queueGeneration++;
  task.key = policy.key(ctx, task.id);
  if (task.isPlaced) core.state.placedBegan = true;
  enqueue(core, task);
  countWaiting(core, task.phase, 1);
}

function enqueue(core: Core, task: TaskRecord): void {
  if (isPinned(task)) task.phase.ensureWaitingTasks().addPinned(task, task.task.firstOn);
  else queue(core, task);
}

/**
 * Gives the phase's waiting tasks their places by the keys that they have now. COST: O(n log n) for
 * n kept tasks.
 */
export function orderAnew(core: Core, phase: PhaseRecord): void {
  if (phase.waiting === 0) return;
  const { policy, ctx } = core.seats.order;
  for (const task of keptTasksOf(core.state, phase)) {
    if (!task.waiting) continue;
    const key = policy.key(ctx, task.id);
    if (key === task.key) continue;
    task.key = key;
    // The entries of earlier generations are stale.
    task.queueGeneration++;
    enqueue(core, task);
  }
}

/** Makes the phase's fresh tasks wait for slots. */
export function beginToWaitFresh(core: Core, phase: PhaseRecord): void {
  const { fresh } = phase;
  if (fresh === undefined || fresh.remaining === 0) return;
  fresh.isWaiting = true;
  countWaiting(core, phase, fresh.remaining);
}

function queue(core: Core, task: TaskRecord): void {
  const { policy, ctx } = core.seats.order;
  const urgent = policy.ignoresLocality?.(ctx, task.id) ?? false;
  const { nodes } = core.state;
  task.phase.ensureWaitingTasks().add(task, urgent, (node) => nodes[node]?.rack);
}

/** The tasks that are pinned to a node that is lost or closed to their job may run anywhere. */
export function releasePinned(core: Core, phase: PhaseRecord): void {
  const released = phase.waitingTasks.takePinned((node) => isPinOver(core, phase.job, node));
  for (const task of released) queue(core, task);
}

export function stopWaiting(core: Core, task: TaskRecord): void {
  assert(task.waiting, "only a waiting task stops waiting");
  task.waiting = false;
  core.state.keptSlots.delete(task.id);
  countWaiting(core, task.phase, -1);
}

/** The phase's tasks no longer wait for slots. */
export function stopWaitingAll(core: Core, phase: PhaseRecord): void {
  if (phase.waiting === 0) return;
  for (const task of keptTasksOf(core.state, phase)) if (task.waiting) stopWaiting(core, task);
  const { fresh } = phase;
  if (fresh === undefined || phase.waiting === 0) return;
  fresh.isWaiting = false;
  countWaiting(core, phase, -fresh.remaining);
}

/**
 * Call this after an attempt of the task has ended: makes the task wait if it needs another one.
 */
export function waitAgain(core: Core, task: TaskRecord, as: AttemptKind): void {
  if (!task.needed || task.waiting || !task.phase.job.live) return;
  // Kept even if another attempt runs on: if that attempt is undone, the task waits as this kind.
  const { recomputeDue } = task.mishaps;
  task.next = recomputeDue ? "recompute" : as;
  if (task.unended > 0) return;
  if (recomputeDue) task.ensureMishaps().recomputeDue = false;
  waitWhenReady(core, task, task.next);
}

/**
 * Makes the task wait, at once or when its phase is ready. A host may by itself start a task that
 * is not allowed to begin yet, and a phase may be held back.
 */
export function waitWhenReady(core: Core, task: TaskRecord, as: AttemptKind): void {
  task.next = as;
  if (task.phase.ready) beginToWait(core, task, as);
}

/** When no task of the phase waits, readers that share its kind of slot may be launched. */
function freeHolders(core: Core, phase: PhaseRecord): void {
  for (const holder of phase.holders) {
    if (holder.waiting > 0) askForSlots(core, holder);
    else askForRequests(core, holder);
  }
}

/** Requested copies of a phase that may be launched again are offered the slots that are held. */
export function askForRequests(core: Core, phase: PhaseRecord): void {
  if (phase.requested > 0) askForSlots(core, phase);
}

function askForSlots(core: Core, { phase: { slots } }: PhaseRecord): void {
  for (const kind of slots) core.state.beganToWait.add(kind);
}

export function countWaiting(core: Core, phase: PhaseRecord, change: number): void {
  phase.waiting += change;
  if (phase.waiting === 0) {
    // The buckets hold only dead entries, of tasks that have waited.
    phase.waitingTasks = NOTHING_WAITS;
    freeHolders(core, phase);
  }
  for (const kind of phase.phase.slots) {
    if (change > 0) core.state.beganToWait.add(kind);
    countWaitingFor(core, phase, kind, change);
  }
}

function countWaitingFor(core: Core, { job }: PhaseRecord, kind: SlotKind, change: number): void {
  const load = core.state.load[kind]!;
  const { own, pool, user } = job;
  load.waiting += change;
  pool.waiting[kind] = pool.waiting[kind]! + change;
  user.waiting[kind] = user.waiting[kind]! + change;
  const before = own.waiting[kind]!;
  own.waiting[kind] = before + change;
  if ((before === 0 || before + change === 0) && core.seats.hearers["job-waits"] !== undefined) {
    const waits = change > 0;
    core.notify({ at: core.now, kind: "job-waits", job: job.job.id, slotKind: kind, waits });
  }
}
