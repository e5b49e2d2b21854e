import type { SetupDescription } from "../../../core/journal/index.ts";
import { TRACE_PHASE_KINDS, type TracePhaseKind } from "../../../history/model.ts";
import type { Node } from "../../../model/cluster.ts";
import type { PageNode } from "../document.ts";
import { Lanes } from "./lanes.ts";

interface Joined {
  readonly at: number;
  readonly slots: number;
}

/** The nodes of a live run, by their ids, and their slots. */
export class ClusterFold {
  readonly nodes: PageNode[] = [];
  readonly lanes = new Lanes();
  readonly #setup: SetupDescription;
  readonly #named = new Map<string, number>();
  /** When each node joined first. */
  readonly #since = new Map<number, number>();
  /** Nodes that offer slots now. */
  readonly #joined = new Map<number, Joined>();
  /** Slots of nodes that have left, and the slot time of those dropped from this list. */
  #left: (Joined & { readonly until: number })[] = [];
  #leftMs = 0;

  constructor(setup: SetupDescription) {
    this.#setup = setup;
  }

  join(node: Node, at: number): void {
    this.leave(node.id, at);
    const { id, name } = node;
    const slots = node.slots.reduce((sum, { count }) => sum + count, 0);
    this.#joined.set(id, { at, slots });
    // A node that comes back has the same slots again.
    if ((this.#since.get(id) ?? at) !== at) return;
    this.#since.set(id, at);
    this.#named.set(name, id);
    const rack = this.#setup.racks[node.rack] ?? "";
    while (this.nodes.length < id) this.nodes.push({ name: `@${this.nodes.length}` });
    this.nodes[id] = { name, ...(rack !== "" && { rack }) };
    for (const { kind, count } of node.slots) this.lanes.add(id, this.kindOf(kind), count);
  }

  leave(node: number, at: number): void {
    const joined = this.#joined.get(node);
    if (joined === undefined) return;
    this.#joined.delete(node);
    this.#left.push({ ...joined, until: at });
  }

  /** The places of nodes by name. */
  get named(): ReadonlyMap<string, number> {
    return this.#named;
  }

  kindOf(slot: number | undefined): TracePhaseKind {
    const name = this.#setup.slotKinds[slot ?? 0];
    return TRACE_PHASE_KINDS.find((kind) => kind === name) ?? "stage";
  }

  /**
   * Slot time that was offered between two moments. `from` must always be the same, and `until`
   * must never go back.
   */
  offeredMs(from: number, until: number): number {
    const between = ({ at, slots }: Joined, end: number): number =>
      slots * Math.max(0, end - Math.max(at, from));
    const over = this.#left.filter((one) => one.until <= until);
    this.#left = this.#left.filter((one) => one.until > until);
    for (const one of over) this.#leftMs += between(one, one.until);
    const others = [...this.#left, ...this.#joined.values()];
    return others.reduce((sum, one) => sum + between(one, until), this.#leftMs);
  }
}
