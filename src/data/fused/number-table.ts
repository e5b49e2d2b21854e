import { ROOM } from "./csv-columns.ts";
import { DenseTable } from "./dense-table.ts";
import { HashedTable } from "./hashed-table.ts";
import { NumberPairs } from "./number-pairs.ts";

/** What was looked for and is there, with room for `ROOM`: its place, from 0, and its value. */
export class Found {
  readonly rows = new Uint32Array(ROOM);
  readonly values = new Float64Array(ROOM);
}

/** Numbers by numbers. Each key has one value. */
export interface NumberTable {
  /** Looks for the first `count` keys. Returns how many of them are there. */
  find(keys: Float64Array, count: number, found: Found): number;
}

/**
 * Undefined: a key is there twice, or there is no room. While it is made the pairs take as much,
 * which are garbage then.
 */
export function numberTable(pairs: NumberPairs, bytesMax: number): NumberTable | undefined {
  const dense = DenseTable.tryOf(pairs, bytesMax);
  return dense.kind === "other" ? HashedTable.of(pairs, bytesMax) : dense.table;
}

/** Of the thread: one task after another looks into the same table. */
let last: { readonly of: string; readonly table: NumberTable | undefined } | undefined;

/** The table of a dataset, whose parts' paths are of no other one. */
export function numberTableOf(files: readonly string[], bytesMax: number): NumberTable | undefined {
  const of = [bytesMax, ...files].join("\n");
  if (last?.of !== of) {
    last = undefined;
    const pairs = NumberPairs.read(files, bytesMax);
    last = { of, table: pairs && numberTable(pairs, bytesMax) };
  }
  return last.table;
}

/** A task begins that has no tables: the room is for something else. */
export function forgetNumberTable(): void {
  last = undefined;
}
