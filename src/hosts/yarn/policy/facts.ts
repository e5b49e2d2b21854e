import type { Json } from "../../../base/json.ts";
import { Fields } from "../../../core/journal/fields.ts";

/**
 * The cluster's nodes as the ResourceManager lists them. The child requests them by itself; they
 * take effect at their position in its journal.
 */
export interface FactsLine {
  readonly type: "facts";
  readonly nodes: readonly HadoopNode[];
  /** Why there are no nodes. */
  readonly error?: string;
}

export interface HadoopNode {
  readonly host: string;
  readonly rack: string;
  /** RUNNING, or why the node is of no use. */
  readonly state: string;
  /** Megabytes for containers, used or not. */
  readonly memoryMb: number;
  readonly vcores: number;
}

/** Whether the node takes containers. */
export const isOfUse = ({ state }: HadoopNode): boolean => state === "RUNNING";

/** Reads a line of the journal. */
export function readFacts(json: Json, place: string): FactsLine {
  const fields = new Fields(json, place);
  const nodes = fields.rows("nodes").map((row) => ({
    host: row.text("host"),
    rack: row.text("rack"),
    state: row.text("state"),
    memoryMb: row.number("memoryMb"),
    vcores: row.number("vcores"),
  }));
  const error = fields.has("error") ? { error: fields.text("error") } : {};
  return { type: "facts", nodes, ...error };
}

/** Reads the answer to `GET /ws/v1/cluster/nodes`. */
export function readNodes(json: Json, place: string): readonly HadoopNode[] {
  // Without any node Hadoop answers {"nodes":null} or {"nodes":{}}.
  const nodes = new Fields(json, place).find("nodes");
  if (nodes === undefined || nodes === null) return [];
  const list = new Fields(nodes, place);
  if (!list.has("node")) return [];
  return list.rows("node").map((row) => ({
    host: row.text("nodeHostName"),
    rack: row.text("rack"),
    state: row.text("state"),
    memoryMb: row.number("usedMemoryMB") + row.number("availMemoryMB"),
    vcores: row.number("usedVirtualCores") + row.number("availableVirtualCores"),
  }));
}
