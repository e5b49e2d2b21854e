import type { Ask } from "../../model/action.ts";
import { type NodeId, type RackId, rackId, type TaskId } from "../../model/ids.ts";
import type { View } from "../../model/view.ts";
import { type ParamsOf, params } from "../params.ts";
import type { DataPolicy } from "../policy.ts";
import { refuse } from "../refuse.ts";

const PARAMS = params({
  /** An output that a reader on another node fetches is copied by that fetch. */
  selective: {
    default: true,
    about: "whether only outputs that a reader on their node consumes are copied (true)",
  },
  /** Bandwidth is ample within a rack. */
  sameRack: {
    default: true,
    about: "whether copies stay on their rack (true), or go to the next one",
  },
});

export type CopyOutputsParams = ParamsOf<typeof PARAMS>;

/**
 * Copies intermediate data as they are written, asynchronously, within the rack and only where
 * needed, so that readers need not wait for a recompute when a node is lost. After Ko, Hoque, Cho,
 * Gupta: Making Cloud Intermediate Data Fault-Tolerant (SoCC 2010), as described in Elephant §6;
 * the choice of outputs, by whole tasks, is ours.
 */
export const copyOutputs: DataPolicy<CopyOutputsParams, null> = {
  name: "copy-outputs",
  source: "after Ko et al., ISS (SoCC 2010), as described in Elephant §6; the choice is ours",
  params: PARAMS,
  needs: ["replicate"],
  remember: () => null,

  onOutput(ctx, task): readonly Ask[] {
    const { params, view } = ctx;
    const [node] = view.outputNodes(task);
    if (node === undefined) return [];
    const readersHere = countReaders(view, task, node);
    if (params.selective && readersHere === 0)
      return refuse(ctx, "read-elsewhere", () => ({}), task);
    const to = rackFor(view, view.node(node).rack, params.sameRack);
    const bytes = view.output(task)?.bytes ?? 0;
    const why = { rule: "copied-while-written", numbers: { readersHere, bytes } };
    return [{ kind: "replicate", task, to, why }];
  },
};

/** Attempts on the node that read the task's output. COST: O(slots of the node). */
function countReaders(view: View, task: TaskId, node: NodeId): number {
  const readers = view.readers(task).map(({ id }) => id);
  let count = 0;
  for (const attempt of view.runningOn(node)) {
    if (readers.includes(view.task(attempt.task).phase)) count += 1;
  }
  return count;
}

const rackFor = (view: View, own: RackId, sameRack: boolean): RackId =>
  sameRack ? own : rackId((own + 1) % view.racks.length);
