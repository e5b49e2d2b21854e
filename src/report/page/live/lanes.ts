import type { PageNode, PageRow } from "../document.ts";
import { inOrder, keyOf } from "../lanes.ts";

/** The slots of a node for one kind of attempt: as many as it has, or as ran at once. */
interface Slots {
  readonly node: number;
  readonly kind: string;
  /** Its lanes, whether each is taken, and when the last attempt ended there. */
  readonly lanes: number[];
  readonly isTaken: boolean[];
  readonly lastEnd: number[];
  count: number;
}

const NEVER = Number.NEGATIVE_INFINITY;

/**
 * Puts each attempt on a slot of its node when it is launched: the first that is free. A lane is
 * such a slot; it keeps its number when rows are inserted before it.
 */
export class Lanes {
  readonly #slots = new Map<string, Slots>();
  readonly #kinds = new Set<string>();
  #areKnown = false;
  readonly #of: { readonly slots: Slots; readonly at: number }[] = [];
  /** How often a row was added. */
  #changes = 0;

  get changes(): number {
    return this.#changes;
  }

  /** Whether the nodes have reported their numbers of slots. */
  get areKnown(): boolean {
    return this.#areKnown;
  }

  /** More slots of a node. */
  add(node: number, kind: string, count: number): void {
    const slots = this.#slotsOf(node, kind);
    slots.count += count;
    this.#areKnown ||= count > 0;
    this.#changes += 1;
  }

  take(node: number, kind: string, at: number): number {
    const slots = this.#slotsOf(node, kind);
    const free = slots.lastEnd.findIndex((end, lane) => !slots.isTaken[lane] && end <= at);
    const n = free < 0 ? slots.lastEnd.length : free;
    slots.isTaken[n] = true;
    slots.lastEnd[n] ??= NEVER;
    const known = slots.lanes[n];
    if (known !== undefined) return known;
    if (n >= slots.count) this.#changes += 1;
    const lane = this.#of.length;
    this.#of.push({ slots, at: n });
    slots.lanes[n] = lane;
    // The reader has not seen this lane yet.
    this.#changes += 1;
    return lane;
  }

  /** The attempt on the lane has ended. */
  free(lane: number, at: number): void {
    const taken = this.#of[lane];
    if (taken === undefined) return;
    taken.slots.isTaken[taken.at] = false;
    taken.slots.lastEnd[taken.at] = at;
  }

  /**
   * The attempt on the lane never ran. A row on which no attempt ever ran is removed if it is last.
   */
  giveBack(lane: number): void {
    const taken = this.#of[lane];
    if (taken === undefined) return;
    const { isTaken, lastEnd } = taken.slots;
    isTaken[taken.at] = false;
    while (isTaken.at(-1) === false && lastEnd.at(-1) === NEVER) {
      isTaken.pop();
      lastEnd.pop();
      this.#changes += 1;
    }
  }

  /**
   * The rows of all slots, by rack, node and kind, those of `kinds` first, and the row of each
   * lane. COST: O(n log n) in nodes.
   */
  rows(
    nodes: readonly PageNode[],
    kinds: Iterable<string>,
  ): {
    readonly rows: readonly PageRow[];
    readonly lanes: readonly number[];
  } {
    const rows: PageRow[] = [];
    const first = new Map<Slots, number>();
    for (const node of inOrder(nodes)) {
      for (const kind of new Set([...kinds, ...this.#kinds])) {
        const slots = this.#slots.get(keyOf(node, kind));
        if (slots === undefined) continue;
        first.set(slots, rows.length);
        const count = Math.max(slots.count, slots.lastEnd.length);
        for (let n = 0; n < count; n++) rows.push({ node, kind });
      }
    }
    return { rows, lanes: this.#of.map(({ slots, at }) => (first.get(slots) ?? 0) + at) };
  }

  #slotsOf(node: number, kind: string): Slots {
    const key = keyOf(node, kind);
    const known = this.#slots.get(key);
    if (known !== undefined) return known;
    this.#kinds.add(kind);
    const slots = { node, kind, lanes: [], isTaken: [], lastEnd: [], count: 0 };
    this.#slots.set(key, slots);
    return slots;
  }
}
