import { Groups } from "../kernel/groups.ts";
import { CELL_BYTES, MISSING } from "../kernel/kernel.ts";
import { Workspace } from "../memory/workspace.ts";
import { ROOM } from "./csv-columns.ts";
import type { NumberPairs } from "./number-pairs.ts";
import type { Found, NumberTable } from "./number-table.ts";

/** Any keys, in a memory of the kernels. */
export class HashedTable implements NumberTable {
  readonly #space: Workspace;
  readonly #groups: Groups;
  readonly #cells: number;
  readonly #ids: number;
  /** By the number of their key. */
  readonly #values: Float64Array;

  private constructor(values: Float64Array, bytesMax: number) {
    this.#values = values;
    this.#space = new Workspace(bytesMax);
    this.#cells = this.#space.take(ROOM * CELL_BYTES);
    this.#ids = this.#space.take(ROOM * 4);
    this.#groups = Groups.ofNumbers(this.#space.kernel, this.#space.memory, 0);
  }

  /** Undefined: a key is there twice, or there is no room. */
  static of({ keys, values, count }: NumberPairs, bytesMax: number): HashedTable | undefined {
    const table = new HashedTable(values, bytesMax);
    const groups = table.#groups;
    for (let from = 0; from < count; from += ROOM) {
      const size = Math.min(ROOM, count - from);
      table.#put(keys.subarray(from, from + size));
      const grouped = groups.group(table.#cells, size, table.#ids);
      // A key's number is that of its value only if none came twice.
      if (grouped < size || groups.size < from + size) return undefined;
    }
    return table;
  }

  find(keys: Float64Array, count: number, { rows, values }: Found): number {
    this.#put(keys.subarray(0, count));
    this.#groups.find(this.#cells, count, this.#ids);
    const { buffer } = this.#space.memory.bytes;
    const ids = new Uint32Array(buffer, this.#ids, count);
    const all = this.#values;
    let found = 0;
    for (let row = 0; row < count; row++) {
      const id = ids[row] ?? MISSING;
      if (id === MISSING) continue;
      rows[found] = row;
      values[found++] = all[id] ?? 0;
    }
    return found;
  }

  #put(keys: Float64Array): void {
    const { memory, kernel } = this.#space;
    new Float64Array(memory.bytes.buffer, this.#cells, keys.length).set(keys);
    kernel.numberKeys(this.#cells, keys.length);
  }
}
