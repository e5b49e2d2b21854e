import type { Json } from "../../../base/json.ts";
import { Fields } from "../../../core/journal/fields.ts";

/**
 * The cluster's nodes as the ResourceManager lists them. The child asks for them by itself; they
 * count from where they stand in its journal.
 */
export interface FactsLine {
  readonly type: "facts";
  readonly nodes: readonly HadoopNode[];
  /** Why there are none. */
  readonly error?: string;
}

export interface HadoopNode {
  readonly host: string;
  readonly rack: string;
  /** RUNNING, or why it is of no use. */
  readonly state: string;
  /** For containers, used or not. */
  readonly memoryMb: number;
  readonly vcores: number;
}

/** Whether containers are given out on it. */
export const isOfUse = ({ state }: HadoopNode): boolean => state === "RUNNING";

/** Of a journal. */
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

/** Of the answer to `GET /ws/v1/cluster/nodes`. */
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
