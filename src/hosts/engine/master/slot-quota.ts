import type { SlotCounts } from "../../../model/cluster.ts";
import type { SlotKind } from "../../../model/ids.ts";
import type { EngineNode } from "./engine-node.ts";

/**
 * Who offers slots where memory is too little for a slot of every node to be at work at once: of
 * each kind, so many on all nodes together. Who has the first of them changes, since a task may
 * have to go to another node than those on which it has failed.
 */
export class SlotQuota {
  readonly #nodes: readonly EngineNode[];
  readonly #slots: number;
  #first = 0;

  /** `slots`: of each kind, at work at once. */
  constructor(nodes: readonly EngineNode[], slots: number) {
    this.#nodes = nodes;
    this.#slots = slots;
  }

  /** Whether a node's part hangs on what others do. */
  get isShort(): boolean {
    return this.#slots < this.#nodes.reduce((sum, { slots }) => sum + slots, 0);
  }

  /** It begins with the next node from now on. */
  turn(): void {
    this.#first = (this.#first + 1) % this.#nodes.length;
  }

  /** What the node may offer now. */
  free(node: EngineNode): SlotCounts {
    if (!this.isShort) return node.free;
    return node.free.map(({ kind, count }) => ({ kind, count: this.#part(node, kind, count) }));
  }

  /** What is not at work is for the first nodes that have slots free. */
  #part(node: EngineNode, kind: SlotKind, wanted: number): number {
    let left = this.#slots;
    for (const { held } of this.#nodes) {
      for (const its of held.values()) if (its === kind) left--;
    }
    const inTurn = [...this.#nodes.slice(this.#first), ...this.#nodes.slice(0, this.#first)];
    for (const before of inTurn) {
      if (before === node) break;
      if (before.state !== "live" || before.booting) continue;
      left -= before.free.find((free) => free.kind === kind)?.count ?? 0;
    }
    return Math.max(0, Math.min(wanted, left));
  }
}
