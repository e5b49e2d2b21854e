import type { SlotKind } from "../model/ids.ts";
import { rule } from "../model/why.ts";
import { kill } from "./attempts.ts";
import type { Core } from "./core.ts";
import { mayRun } from "./may-run.ts";
import type { AttemptRecord, PhaseRecord } from "./state.ts";

const UPSTREAM_NEEDS_SLOT = rule("upstream-needs-slot");

/**
 * Where readers and what they read share a kind of slot, readers may come to hold every slot while
 * a task that they need waits. The newest of them is requeued.
 */
export function unblock(core: Core): void {
  const { state } = core;
  if (state.contested.size === 0) return;
  for (const kind of state.kinds) {
    if (state.load[kind]!.running === 0) continue;
    const sources: PhaseRecord[] = [];
    const holders = new Set<PhaseRecord>();
    for (const source of state.contested) {
      if (source.waiting === 0 || !source.phase.slots.includes(kind)) continue;
      sources.push(source);
      for (const holder of source.holders) if (holder.running > 0) holders.add(holder);
    }
    if (holders.size === 0 || isSlotFor(core, kind, sources)) continue;
    const newest = newestIfAllHold(core, kind, holders);
    if (newest === undefined || isSlotComing(core, kind)) continue;
    const why = core.why(UPSTREAM_NEEDS_SLOT, () => ({ held: state.load[kind]!.running }));
    kill(core, newest, "requeue", why);
  }
}

/** Whether a slot is free on which some waiting task of the phases may run. */
function isSlotFor(core: Core, kind: SlotKind, sources: readonly PhaseRecord[]): boolean {
  for (const node of core.state.freeNodes[kind]!) {
    for (const { tasks } of sources) {
      if (tasks.some((task) => task?.waiting && mayRun(core, task, node, kind))) return true;
    }
  }
  return false;
}

/** Whether a slot is neither taken nor offered yet on a node that is heard. COST: O(nodes), rarely. */
function isSlotComing(core: Core, kind: SlotKind): boolean {
  return core.state.nodes.some((node) => {
    if (!node?.usable) return false;
    let known = node.free[kind]!.count;
    for (const attempt of node.running) if (attempt.kind === kind) known++;
    return node.node.slots.some((slots) => slots.kind === kind && known < slots.count);
  });
}

/** The newest attempt, if all that hold a slot of the kind are of these phases and none is dying. */
function newestIfAllHold(
  core: Core,
  kind: SlotKind,
  holders: ReadonlySet<PhaseRecord>,
): AttemptRecord | undefined {
  let held = 0;
  let newest: AttemptRecord | undefined;
  for (const phase of holders) {
    for (const task of phase.runningTasks) {
      for (const attempt of task.attempts) {
        if (attempt.kind !== kind || (attempt.state !== "running" && attempt.state !== "assumed")) {
          continue;
        }
        held++;
        if (newest === undefined || attempt.id > newest.id) newest = attempt;
      }
    }
  }
  return held === core.state.load[kind]!.running ? newest : undefined;
}
