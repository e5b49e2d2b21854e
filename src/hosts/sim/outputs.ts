import { takeOut } from "../../base/take-out.ts";
import type { OutputMade } from "../../model/fact.ts";
import type { TaskId } from "../../model/ids.ts";
import { taskDone } from "./barrier.ts";
import type { SimNode, SimPhase, StoredOutput } from "./state.ts";
import type { World } from "./world.ts";

/** Stores a task's output on its node, where waiting readers may fetch it. */
export function storeOutput(world: World, made: OutputMade): void {
  if (!world.phases.areRead) return;
  const { task } = made;
  const phase = world.phases.ofTask(task);
  if (phase.readers.length === 0) return;
  if (!made.again) taskDone(world, phase);
  const node = world.node(made.node);
  const old = world.outputs.get(task);
  if (old !== undefined && old.believed.length > 0) addCopy(world, phase, old, node);
  else addCopy(world, phase, { task, bytes: made.output.bytes, believed: [] }, node);
}

/** Adds a node to the holders of the output, or adds it again: readers fetch the latest copy. */
export function addCopy(world: World, phase: SimPhase, output: StoredOutput, node: SimNode): void {
  world.outputs.set(output.task, output);
  world.nowhere.delete(output.task);
  takeOut(output.believed, node);
  output.believed.push(node);
  node.outputs.add(output);
  for (const reader of phase.readers) {
    reader.ready?.add(output, node.id);
    for (const run of reader.fetching) run.outputIsReady();
  }
}

/** Forgets the outputs of a node that was given up. */
export function forgetOutputs(world: World, node: SimNode): void {
  for (const output of node.outputs) {
    takeOut(output.believed, node);
    if (output.believed.length > 0) continue;
    world.outputs.delete(output.task);
    world.nowhere.set(output.task, node);
  }
  node.outputs.clear();
  node.hasLostOutputs = true;
}

/** Drops an output whose job is over, since no task reads it any more. */
export function dropOutput(world: World, task: TaskId): void {
  world.nowhere.delete(task);
  const output = world.outputs.get(task);
  if (output === undefined) return;
  for (const node of output.believed) node.outputs.delete(output);
  world.outputs.delete(task);
}
