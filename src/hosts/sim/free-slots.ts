import type { SlotCounts } from "../../model/cluster.ts";

/** More lists than these are made anew each time. */
const KEPT_MAX = 4_096;

/**
 * The lists of free slots that nodes with these slots offer. An offer of as many slots as before is
 * the same list, which nobody changes.
 */
export class FreeSlots {
  /** All slots of such a node. */
  readonly slots: SlotCounts;
  readonly #areKept: boolean;
  readonly #lists: (SlotCounts | undefined)[] = [];

  constructor(slots: SlotCounts) {
    this.slots = slots;
    this.#areKept = slots.reduce((lists, { count }) => lists * (count + 1), 1) <= KEPT_MAX;
  }

  /** `free`: by kind, at most as many as the node has. */
  list(free: readonly number[]): SlotCounts {
    if (!this.#areKept) return this.#make(free);
    let at = 0;
    for (const { kind, count } of this.slots) at = at * (count + 1) + (free[kind] ?? 0);
    const known = this.#lists[at];
    if (known !== undefined) return known;
    while (this.#lists.length < at) this.#lists.push(undefined);
    const list = this.#make(free);
    this.#lists[at] = list;
    return list;
  }

  #make(free: readonly number[]): SlotCounts {
    return this.slots.map(({ kind }) => ({ kind, count: free[kind] ?? 0 }));
  }
}
