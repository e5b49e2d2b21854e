import type { Node } from "../../model/cluster.ts";
import type { Instant, NodeId, RackId, SlotKind, TaskId } from "../../model/ids.ts";
import type { NodeTable } from "./node-table.ts";

export class NodeRecord {
  readonly id: NodeId;
  readonly #table: NodeTable;
  joined = true;
  silentSince: Instant | undefined = undefined;
  rack: RackId;
  #node: Node;
  /** Finished tasks with readers whose output lies here. */
  readonly outputs = new Set<TaskId>();

  constructor(node: Node, table: NodeTable) {
    this.id = node.id;
    this.#table = table;
    this.rack = node.rack;
    this.#node = node;
    table.add(node.id);
  }

  get node(): Node {
    return this.#node;
  }

  set node(node: Node) {
    this.rack = node.rack;
    this.#node = node;
  }

  /** The slots of the kind that were offered and not taken. */
  free(kind: SlotKind): number {
    return this.#table.free(this.id, kind);
  }

  /** The rows of the attempts that hold a slot here, in launch order. */
  get running(): readonly number[] {
    return this.#table.running(this.id);
  }

  /** Succeeded attempts; each has a score of 1. */
  get succeeded(): number {
    return this.#table.succeeded(this.id);
  }

  set succeeded(count: number) {
    this.#table.setSucceeded(this.id, count);
  }

  /** Whether an attempt may be launched here now. */
  get usable(): boolean {
    return this.joined && this.silentSince === undefined;
  }
}
