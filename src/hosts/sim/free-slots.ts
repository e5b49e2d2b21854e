import type { SlotCounts } from "../../model/cluster.ts";
import type { SlotKind } from "../../model/ids.ts";

/** The most lists that are kept; further ones are made on each request. */
const KEPT_MAX = 4_096;

/**
 * How many slots of each kind are free on a node with these slots, as one number: a digit for each
 * kind. Equal numbers share one list, which is never changed.
 */
export class FreeSlots {
  /** All slots are free. */
  readonly all: number;
  /** All slots of a node. */
  readonly slots: SlotCounts;
  /** By kind: what one slot of the kind adds to the number. */
  readonly #units: number[] = [];
  readonly #lists: (SlotCounts | undefined)[] = [];

  constructor(slots: SlotCounts) {
    this.slots = slots;
    let unit = 1;
    for (const { kind, count } of slots) {
      while (this.#units.length <= kind) this.#units.push(0);
      this.#units[kind] = unit;
      unit *= count + 1;
    }
    this.all = unit - 1;
  }

  /** What one free slot of the kind adds; 0 if the node has no such slots. */
  unit(kind: SlotKind): number {
    return this.#units[kind] ?? 0;
  }

  /** How many slots of the kind are free. */
  count(free: number, kind: SlotKind): number {
    // The one digit, if the node has slots of one kind.
    if (this.slots.length === 1) return free * this.unit(kind);
    for (const slots of this.slots) {
      if (slots.kind === kind) return Math.floor(free / this.unit(kind)) % (slots.count + 1);
    }
    return 0;
  }

  list(free: number): SlotCounts {
    if (free >= KEPT_MAX) return this.#make(free);
    const known = this.#lists[free];
    if (known !== undefined) return known;
    while (this.#lists.length < free) this.#lists.push(undefined);
    const list = this.#make(free);
    this.#lists[free] = list;
    return list;
  }

  #make(free: number): SlotCounts {
    return this.slots.map(({ kind }) => ({ kind, count: this.count(free, kind) }));
  }
}
