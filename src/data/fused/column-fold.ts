import type { Order } from "../bytes/run-format.ts";
import type { RunWriter } from "../bytes/run-writer.ts";
import { GroupTable } from "../kernel/groups.ts";
import { CELL_BYTES, KEYS } from "../kernel/kernel.ts";
import { accumulate, type NumberFoldKind, strideOf, VALUES_OF } from "../memory/number-fold.ts";
import { putTable } from "../memory/put-run.ts";
import type { Workspace } from "../memory/workspace.ts";
import { ROOM } from "./csv-columns.ts";

/** The cells to fold, at most `ROOM`. */
export interface FoldCells {
  /** Whether the key is a number. */
  readonly isNumber: boolean;
  readonly kind: NumberFoldKind;
  /** The places of the cells in memory. */
  readonly keys: number;
  readonly values: number;
}

/** Accumulators by key. The fold takes all free memory: nothing may be taken after it. */
export class ColumnFold {
  readonly #space: Workspace;
  readonly #about: FoldCells;
  readonly #ids: number;
  readonly #groups: GroupTable;
  readonly #stride: number;

  constructor(space: Workspace, about: FoldCells) {
    const { kernel, memory } = space;
    this.#space = space;
    this.#about = about;
    this.#ids = space.take(ROOM * 4);
    this.#stride = strideOf(about.kind);
    this.#groups = about.isNumber
      ? GroupTable.ofNumbers(kernel, memory, this.#stride)
      : GroupTable.ofBytes(kernel, memory, { keys: "plain", stride: this.#stride });
  }

  get isEmpty(): boolean {
    return this.#groups.size === 0;
  }

  /**
   * Adds rows, spilling when there is no more room. Returns false if a row does not fit even into
   * an empty table. The cells are invalid afterwards.
   */
  tryAdd(rows: number, spill: () => void): boolean {
    this.#prepare(rows);
    for (let done = 0; done < rows; ) {
      const isFresh = this.isEmpty;
      const added = this.#add(done, rows - done);
      done += added;
      if (done === rows) break;
      if (added === 0 && isFresh) return false;
      spill();
    }
    return true;
  }

  /** Turns numbers into the form in which their keys are compared. */
  #prepare(rows: number): void {
    const { isNumber, kind, keys, values } = this.#about;
    const { kernel } = this.#space;
    if (isNumber) kernel.numberKeys(keys, rows);
    if (kind === "min" || kind === "max") kernel.numberKeys(values, rows);
  }

  /** The number of rows from `from` on that were added. */
  #add(from: number, rows: number): number {
    const { kind, keys, values } = this.#about;
    const { kernel } = this.#space;
    const ids = this.#ids;
    const grouped = this.#groups.group(keys + from * CELL_BYTES, rows, ids);
    return accumulate(kernel, kind, {
      base: this.#groups.accumulators,
      ids,
      values: values + from * CELL_BYTES,
      count: grouped,
    });
  }

  drainTo(writer: RunWriter, partitions: number, order: Order): void {
    const { isNumber, kind } = this.#about;
    const space = this.#space;
    const table = this.#groups;
    const base = this.#groups.accumulators;
    const keys = isNumber ? KEYS.number : KEYS.plain;
    const shape = { keys, values: VALUES_OF[kind], base, stride: this.#stride };
    // Sorting numbers here is cheaper than hashing them again in the reduce.
    const how = isNumber ? "by-key" : order;
    putTable({ space, table, partitions, order: how, shape, writer });
    this.#groups.clear();
  }
}
