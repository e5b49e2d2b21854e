import type { SlotCounts } from "../../model/cluster.ts";
import type { SlotKind } from "../../model/ids.ts";

/** Lists of more slots of a kind, or of more kinds, are not kept. */
const COUNT_MAX = 63;
const KINDS_MAX = 2;

/** The lists of free slots that policies are given: the same list for the same counts. */
export class FreeLists {
  readonly #kinds: readonly SlotKind[];
  readonly #lists: (SlotCounts | undefined)[] = [];

  constructor(kinds: readonly SlotKind[]) {
    this.#kinds = kinds;
  }

  of(node: { free(kind: SlotKind): number }): SlotCounts {
    let place = 0;
    let isSmall = this.#kinds.length <= KINDS_MAX;
    for (const kind of this.#kinds) {
      const free = node.free(kind);
      isSmall &&= free <= COUNT_MAX;
      place = place * (COUNT_MAX + 1) + free;
    }
    const known = isSmall ? this.#lists[place] : undefined;
    if (known !== undefined) return known;
    if (!isSmall) return this.#listOf(node);
    const list = this.#listOf(node);
    while (this.#lists.length < place) this.#lists.push(undefined);
    this.#lists[place] = list;
    return list;
  }

  #listOf(node: { free(kind: SlotKind): number }): SlotCounts {
    return this.#kinds.map((kind) => ({ kind, count: node.free(kind) }));
  }
}
