import { defined } from "../../../base/assert.ts";
import type { SlotCounts } from "../../../model/cluster.ts";
import type { SlotKind } from "../../../model/ids.ts";
import type { EngineNode } from "./engine-node.ts";

/**
 * Decides which nodes offer slots where memory does not suffice for every slot to be at work at
 * once: each kind has a quota over all nodes together. The same nodes keep working while they use
 * their offers, since a node that has worked keeps memory, above all for code. Slots that a node
 * leaves unused go to others, because a task may have to avoid the nodes on which it failed, and a
 * copy the node of the original.
 */
export class SlotQuota {
  readonly #nodes: readonly EngineNode[];
  readonly #slots: number;
  /** By kind, the index of the node that is offered slots first. */
  readonly #first = new Map<SlotKind, number>();
  /** By kind, the heartbeats in a row with idle slots, since they were last passed on. */
  readonly #idleBeats = new Map<SlotKind, number>();

  /** `slots`: the quota of each kind. */
  constructor(nodes: readonly EngineNode[], slots: number) {
    this.#nodes = nodes;
    this.#slots = slots;
  }

  /** Whether the quota is too small for all slots of all nodes. */
  get isShort(): boolean {
    return this.#slots < this.#nodes.reduce((sum, { slots }) => sum + slots, 0);
  }

  /**
   * Called at each heartbeat while tasks of the kind wait or run. If slots of the kind are idle,
   * gives the next node the first offer from now on: at once if tasks wait, otherwise only after
   * some heartbeats, because few of the running tasks get a copy.
   */
  turn(kind: SlotKind, { doTasksWait }: { readonly doTasksWait: boolean }): void {
    const beats = this.#idle(kind) > 0 ? (this.#idleBeats.get(kind) ?? 0) + 1 : 0;
    const isTurn = beats >= (doTasksWait ? 1 : PATIENCE_BEATS);
    this.#idleBeats.set(kind, isTurn ? 0 : beats);
    if (isTurn) this.#first.set(kind, this.#after(this.#firstOf(kind)));
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
      if (!isAtWork(before)) continue;
      left -= before.free.find((free) => free.kind === kind)?.count ?? 0;
    }
    return Math.max(0, Math.min(wanted, left));
  }

  /** The next node that can offer slots; the same one if there is no other. */
  #after(first: number): number {
    const count = this.#nodes.length;
    for (let steps = 1; steps < count; steps++) {
      const next = (first + steps) % count;
      if (isAtWork(defined(this.#nodes[next], "a node"))) return next;
    }
    return first;
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

const isAtWork = ({ state, booting }: EngineNode): boolean => state === "live" && !booting;

/** Two seconds at the default heartbeat. */
const PATIENCE_BEATS = 10;
