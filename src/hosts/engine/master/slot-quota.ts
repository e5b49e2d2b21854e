import type { SlotCounts } from "../../../model/cluster.ts";
import type { SlotKind } from "../../../model/ids.ts";
import type { EngineNode } from "./engine-node.ts";

/**
 * Who offers slots where memory is too little for a slot of every node to be at work at once: of
 * each kind, so many on all nodes together. The same nodes work on while they take what they are
 * offered: each that has worked once keeps something of it, code above all. What they do not take
 * goes to others, since a task may have to go to another node than those on which it has failed.
 */
export class SlotQuota {
  readonly #nodes: readonly EngineNode[];
  readonly #slots: number;
  /** By kind, the node that is offered some before all others. */
  readonly #first = new Map<SlotKind, number>();

  /** `slots`: of each kind, at work at once. */
  constructor(nodes: readonly EngineNode[], slots: number) {
    this.#nodes = nodes;
    this.#slots = slots;
  }

  /** Whether a node's part hangs on what others do. */
  get isShort(): boolean {
    return this.#slots < this.#nodes.reduce((sum, { slots }) => sum + slots, 0);
  }

  /** If any of the kind are not at work: they go to the next node first from now on. */
  turn(kind: SlotKind): void {
    if (this.#idle(kind) > 0) this.#first.set(kind, (this.#firstOf(kind) + 1) % this.#nodes.length);
  }

  /** What the node may offer now. */
  free(node: EngineNode): SlotCounts {
    if (!this.isShort) return node.free;
    return node.free.map(({ kind, count }) => ({ kind, count: this.#part(node, kind, count) }));
  }

  /** What is not at work is for the first nodes that have slots free. */
  #part(node: EngineNode, kind: SlotKind, wanted: number): number {
    let left = this.#idle(kind);
    const first = this.#firstOf(kind);
    const inTurn = [...this.#nodes.slice(first), ...this.#nodes.slice(0, first)];
    for (const before of inTurn) {
      if (before === node) break;
      if (before.state !== "live" || before.booting) continue;
      left -= before.free.find((free) => free.kind === kind)?.count ?? 0;
    }
    return Math.max(0, Math.min(wanted, left));
  }

  #firstOf(kind: SlotKind): number {
    return this.#first.get(kind) ?? 0;
  }

  /** Slots that memory allows and no node uses. */
  #idle(kind: SlotKind): number {
    let idle = this.#slots;
    for (const { held } of this.#nodes) {
      for (const its of held.values()) if (its === kind) idle--;
    }
    return idle;
  }
}
