import { ascending } from "../../../base/order.ts";
import type { Action } from "../../../model/action.ts";
import type { ToMaster } from "../messages.ts";
import type { EngineNode } from "./engine-node.ts";
import type { MasterContext } from "./master-context.ts";
import type { OutputPlace } from "./output-places.ts";

/**
 * Copies a task's output to the node of the rack that holds, or will soon hold, the fewest outputs.
 * The copy counts when the node reports that it is whole.
 */
export function replicate(
  context: MasterContext,
  { task, to }: Extract<Action, { readonly kind: "replicate" }>,
): void {
  if (context.isCatchingUp) return;
  const job = context.jobOf(task);
  const places = job.placesOf(task);
  const source = places.find(({ node }) => isThere(node));
  if (source === undefined) return;
  const held = (node: EngineNode): number => job.outputs.on(node).length + node.copiesComing;
  const [target] = context.nodes
    .filter((node) => node.rack === to && isThere(node))
    .filter((node) => !places.some((place) => place.node === node))
    .sort(
      ascending(
        held,
        ascending(({ id }) => id),
      ),
    );
  if (target === undefined) return;
  const { attempt, path, checksum } = source;
  target.copiesComing++;
  target.send({ kind: "copy-output", attempt, job: job.id, path, checksum });
}

const isThere = ({ state, killed }: EngineNode): boolean => state === "live" && !killed;

/** Handles a node's answer: the copy is made, or could not be made. */
export function copied(
  context: MasterContext,
  node: EngineNode,
  { attempt, path }: Extract<ToMaster, { readonly kind: "copied" }>,
): void {
  node.copiesComing = Math.max(0, node.copiesComing - 1);
  if (path === undefined) return;
  const copy = noteCopy(context, node, { attempt, path });
  if (copy === undefined) {
    // The output was lost in the meantime, or no task reads it any more.
    node.send({ kind: "kill", attempt });
    return;
  }
  context.write({ kind: "copied", attempt, node: node.name, path });
  context.move(context.jobOf(copy.task), [copy.source]);
  context.driver.feed({ kind: "output-replicated", task: copy.task, node: node.id });
}

/** Undefined if no job has this output. */
export function noteCopy(
  context: MasterContext,
  node: EngineNode,
  { attempt, path }: { readonly attempt: number; readonly path: string },
): OutputPlace | undefined {
  for (const job of context.jobs.values()) {
    const copy = job.outputs.copied(attempt, { node, path });
    if (copy === undefined) continue;
    const { name: task, result } = job.task(copy.task);
    const bytes = result?.kind === "shuffle-output" ? result.output.bytes : 0;
    context.outputsCopied.push({ at: context.now, task, node: node.name, bytes });
    context.emit({ kind: "output-copied", task, node: node.name });
    return copy;
  }
  return undefined;
}
