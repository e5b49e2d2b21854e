import type { TaskId } from "../../model/ids.ts";
import type { SimNode } from "./sim-node.ts";

/** What a finished task of a phase with readers wrote. */
export interface StoredOutput {
  readonly task: TaskId;
  readonly bytes: number;
  /** Nodes that the scheduler believes to hold it; `SimNode.outputs` says which really do. */
  readonly believed: SimNode[];
}
