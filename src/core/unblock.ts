import type { SlotKind } from "../model/ids.ts";
import { rule } from "../model/why.ts";
import { kill } from "./attempts.ts";
import type { Core } from "./core.ts";
import { isHeldBack, mayRun } from "./may-run.ts";
import type { AttemptRecord, PhaseRecord, TaskRecord } from "./records.ts";
import { isLive, launchedOf } from "./running.ts";

const UPSTREAM_NEEDS_SLOT = rule("upstream-needs-slot");

/**
 * A slot may be left by a sharing policy for this many times `askAgainMs` before readers make room.
 */
const LEFT_ASKS_MAX = 2;

/**
 * Where readers and the phases they read share a kind of slot, readers may come to hold every slot
 * while a task that they need waits. The newest reader is then requeued: at once if no slot is left
 * for the task, or after a while if a slot is left but not given to it.
 */
export function unblock(core: Core): void {
  const { state } = core;
  if (state.contested.size === 0) return;
  for (const kind of state.kinds) {
    const newest = holderToGo(core, kind);
    if (newest === undefined) continue;
    const why = core.why(UPSTREAM_NEEDS_SLOT, () => ({ held: state.load[kind]!.running }));
    kill(core, newest, "requeue", why);
  }
}

/** Returns undefined if no task is blocked, or not for long enough. */
function holderToGo(core: Core, kind: SlotKind): AttemptRecord | undefined {
  const { state } = core;
  const since = state.blockedSince[kind] ?? core.now;
  state.blockedSince[kind] = undefined;
  if (state.load[kind]!.running === 0) return undefined;
  const sources: PhaseRecord[] = [];
  const holders = new Set<PhaseRecord>();
  for (const source of state.contested) {
    if (source.waiting === 0 || !source.phase.slots.includes(kind)) continue;
    if (isHeldBack(core, source)) continue;
    sources.push(source);
    for (const holder of source.holders) if (holder.running > 0) holders.add(holder);
  }
  const newest = holders.size === 0 ? undefined : newestIfAllHold(core, kind, holders);
  if (newest === undefined || isSlotComing(core, kind)) return undefined;
  if (!isSlotFor(core, kind, sources)) return newest;
  state.blockedSince[kind] = since;
  const isLong = core.now - since >= LEFT_ASKS_MAX * state.setup.askAgainMs;
  return isLong ? newest : undefined;
}

/** Whether a slot is free on which some waiting task of the phases may run. */
function isSlotFor(core: Core, kind: SlotKind, sources: readonly PhaseRecord[]): boolean {
  for (const id of core.state.nodeTable.each(kind)) {
    const node = core.view.nodeRecord(id);
    for (const source of sources) {
      const passes = (task: TaskRecord): boolean =>
        task.waiting && mayRun(core, task, node, { node: node.id, kind });
      if (core.view.tasksOf(source).some(passes)) return true;
      if (source.waitingTasks.unplaced.first({ passes }, source.fresh) !== undefined) return true;
    }
  }
  return false;
}

/**
 * Whether a heard node has a slot that is neither taken nor offered yet. COST: O(nodes); called
 * rarely.
 */
function isSlotComing(core: Core, kind: SlotKind): boolean {
  return core.state.nodes.some((node) => {
    if (!node?.usable) return false;
    let known = node.free(kind);
    for (const row of node.running) if (core.state.attempts.table.kind(row) === kind) known++;
    return node.node.slots.some((slots) => slots.kind === kind && known < slots.count);
  });
}

/**
 * The newest attempt, if only attempts of these phases hold slots of the kind and none of them is
 * dying.
 */
function newestIfAllHold(
  core: Core,
  kind: SlotKind,
  holders: ReadonlySet<PhaseRecord>,
): AttemptRecord | undefined {
  const all = core.state.load[kind]!.running;
  // Mostly other phases hold slots, too, which the phases' own counts show without a walk.
  let most = 0;
  for (const { running } of holders) most += running;
  if (most < all) return undefined;
  let held = 0;
  let newest: AttemptRecord | undefined;
  for (const phase of holders) {
    for (const attempt of launchedOf(core.state, phase)) {
      if (attempt.kind !== kind || !isLive(attempt)) continue;
      held++;
      if (newest === undefined || attempt.id > newest.id) newest = attempt;
    }
  }
  return held === all ? newest : undefined;
}
