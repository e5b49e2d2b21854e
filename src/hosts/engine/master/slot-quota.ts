import type { SlotCounts } from "../../../model/cluster.ts";
import type { SlotKind } from "../../../model/ids.ts";
import type { EngineNode } from "./engine-node.ts";

/**
 * Decides which nodes offer slots where memory does not suffice for every slot to be at work at
 * once: each kind has a quota over all nodes together. The same nodes keep working while they use
 * their offers, since a node that has worked keeps memory, above all for code. Slots that a node
 * leaves unused go to others, because a task may have to avoid the nodes on which it failed.
 */
export class SlotQuota {
  readonly #nodes: readonly EngineNode[];
  readonly #slots: number;
  /** By kind, the index of the node that is offered slots first. */
  readonly #first = new Map<SlotKind, number>();

  /** `slots`: the quota of each kind. */
  constructor(nodes: readonly EngineNode[], slots: number) {
    this.#nodes = nodes;
    this.#slots = slots;
  }

  /** Whether the quota is too small for all slots of all nodes. */
  get isShort(): boolean {
    return this.#slots < this.#nodes.reduce((sum, { slots }) => sum + slots, 0);
  }

  /** If any slots of the kind are idle, gives the next node the first offer from now on. */
  turn(kind: SlotKind): void {
    if (this.#idle(kind) > 0) this.#first.set(kind, (this.#firstOf(kind) + 1) % this.#nodes.length);
  }

  /** The slots that the node may offer now. */
  free(node: EngineNode): SlotCounts {
    if (!this.isShort) return node.free;
    return node.free.map(({ kind, count }) => ({ kind, count: this.#part(node, kind, count) }));
  }

  /** The node's part of the idle slots: the first nodes with free slots come first. */
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

  /** The slots of the quota that no node uses. */
  #idle(kind: SlotKind): number {
    let idle = this.#slots;
    for (const { held } of this.#nodes) {
      for (const its of held.values()) if (its === kind) idle--;
    }
    return idle;
  }
}
