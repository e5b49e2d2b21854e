import type { SlotKind } from "../../model/ids.ts";
import type { NodeRecord } from "../state/node-record.ts";
import type { AttemptRecord, PhaseRecord, TaskRecord } from "../state/records.ts";
import { isLive, launchedOf } from "../state/running.ts";
import { keptTasksOf } from "../state/task-record.ts";
import type { Core } from "./core.ts";
import { mayRun } from "./may-run.ts";

/**
 * The live attempts of these phases, if only they hold slots of the kind and none of them is dying.
 */
export function attemptsIfAllHold(
  core: Core,
  kind: SlotKind,
  holders: ReadonlySet<PhaseRecord>,
): readonly AttemptRecord[] | undefined {
  const all = core.state.load[kind]!.running;
  // Mostly other phases hold slots, too, which the phases' own counts show without a walk.
  let most = 0;
  for (const { running } of holders) most += running;
  if (most < all) return undefined;
  const held: AttemptRecord[] = [];
  for (const phase of holders) {
    for (const attempt of launchedOf(core.state, phase)) {
      if (attempt.kind === kind && isLive(attempt)) held.push(attempt);
    }
  }
  return held.length === all ? held : undefined;
}

export const newestOf = (attempts: readonly AttemptRecord[]): AttemptRecord | undefined =>
  attempts.reduce<AttemptRecord | undefined>(
    (newest, attempt) => (newest === undefined || attempt.id > newest.id ? attempt : newest),
    undefined,
  );

/** Whether some waiting task of the phases may run on the node, were a slot of the kind free. */
export function hasTaskFor(
  core: Core,
  sources: readonly PhaseRecord[],
  { node, kind }: { readonly node: NodeRecord; readonly kind: SlotKind },
): boolean {
  for (const source of sources) {
    const passes = (task: TaskRecord): boolean =>
      task.waiting && mayRun(core, task, node, { node: node.id, kind });
    if (keptTasksOf(core.state, source).some(passes)) return true;
    if (source.waitingTasks.unplaced.first({ passes }, source.fresh) !== undefined) return true;
  }
  return false;
}

/**
 * Whether a heard node has a slot that is neither taken nor offered yet. COST: O(nodes); called
 * rarely.
 */
export function isSlotComing(core: Core, kind: SlotKind): boolean {
  return core.state.nodes.some((node) => {
    if (!node?.usable) return false;
    let known = node.free(kind);
    for (const row of node.running) if (core.state.attempts.table.kind(row) === kind) known++;
    return node.node.slots.some((slots) => slots.kind === kind && known < slots.count);
  });
}
