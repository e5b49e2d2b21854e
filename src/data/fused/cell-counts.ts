import type { Order } from "../bytes/run-format.ts";
import type { RunWriter } from "../bytes/run-writer.ts";
import { GroupTable } from "../kernel/groups.ts";
import { CELL_BYTES, KEYS, VALUES } from "../kernel/kernel.ts";
import { putTable } from "../memory/put-run.ts";
import type { Workspace } from "../memory/workspace.ts";

/** The cells that are added at once, so that waits for memory overlap. */
export const BATCH = 1024;

const STRIDE = 8;

/** The value where counts are not read: null. */
const NULL = 0x01;

/** Counts how often each text occurs; a cell gives a text's place in memory and its bytes. */
export class CellCounts {
  readonly #space: Workspace;
  readonly #spill: () => void;
  readonly #isDistinct: boolean;
  readonly #groups: GroupTable;
  readonly #cells: number;
  readonly #ids: number;
  readonly #null: number;
  #drained = 0;

  /**
   * `spill`: writes what the table holds when it is full. `isDistinct`: the counts are not read.
   * The table takes all free memory of the space.
   */
  constructor(space: Workspace, spill: () => void, isDistinct = false) {
    const { kernel, memory } = space;
    this.#space = space;
    this.#spill = spill;
    this.#isDistinct = isDistinct;
    this.#cells = space.take(BATCH * CELL_BYTES);
    this.#ids = space.take(BATCH * 4);
    this.#null = space.take(1);
    memory.bytes[this.#null] = NULL;
    const options = { keys: "plain", stride: STRIDE } as const;
    this.#groups = GroupTable.ofBytes(kernel, memory, options);
  }

  /** The number of different texts held. */
  get size(): number {
    return this.#groups.size;
  }

  /** The number of pairs: those held, and those already written. */
  get pairs(): number {
    return this.#drained + this.#groups.size;
  }

  /** Room for `BATCH` cells: u32 place, u32 bytes. */
  get cells(): Uint32Array {
    const { buffer, byteOffset } = this.#space.memory.bytes;
    return new Uint32Array(buffer, byteOffset + this.#cells, 2 * BATCH);
  }

  /**
   * Counts the first `count` cells. Returns false if a text does not fit even into an empty table.
   */
  tryAdd(count: number): boolean {
    const { kernel } = this.#space;
    for (let done = 0; done < count; ) {
      const isFresh = this.#groups.size === 0;
      const ids = this.#ids + done * 4;
      const some = this.#groups.group(this.#cells + done * CELL_BYTES, count - done, ids);
      if (!this.#isDistinct) kernel.countIds(this.#groups.accumulators, STRIDE, ids, some);
      done += some;
      if (done === count) break;
      if (some === 0 && isFresh) return false;
      this.#spill();
    }
    return true;
  }

  /** Writes pairs `[text, count]`, or `[text, null]`, and empties the table. */
  drainTo(writer: RunWriter, partitions: number, order: Order): void {
    const space = this.#space;
    const table = this.#groups;
    const shape = this.#isDistinct
      ? { keys: KEYS.plain, values: VALUES.constant, base: this.#null, stride: 1 }
      : {
          ...{ keys: KEYS.plain, values: VALUES.count },
          ...{ base: this.#groups.accumulators, stride: STRIDE },
        };
    this.#drained += putTable({ space, table, partitions, order, shape, writer });
    this.#groups.clear();
  }
}
