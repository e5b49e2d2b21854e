import type { NodeId, TaskId } from "../../model/ids.ts";
import { reportSlots } from "./report-slots.ts";
import type { SimPhase } from "./state.ts";
import type { World } from "./world.ts";

/**
 * A job arrives: nodes to which its tasks are pinned keep their last slots until these tasks' first
 * attempts have been launched.
 */
export function awaitPinned(world: World, { pinned }: SimPhase): void {
  for (const { id, firstOn } of pinned) {
    if (firstOn !== undefined) world.node(firstOn).awaited.add(id);
  }
}

/** An attempt of one of the phase's tasks has been launched. */
export function pinnedCame(world: World, { phase }: SimPhase, index: number): void {
  const task = phase.tasks.at(index);
  if (task?.firstOn !== undefined) dropPin(world, task.firstOn, task.id);
}

/** The job is over: nodes no longer wait for its tasks. */
export function dropPins(world: World, { pinned }: SimPhase): void {
  for (const { id, firstOn } of pinned) {
    if (firstOn !== undefined) dropPin(world, firstOn, id);
  }
}

function dropPin(world: World, home: NodeId, task: TaskId): void {
  const node = world.node(home);
  if (!node.awaited.delete(task) || node.awaited.size > 0) return;
  // Slots that stayed only for this task go now.
  reportSlots(world, node);
}
