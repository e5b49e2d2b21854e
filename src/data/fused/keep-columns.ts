import type { InputFormat } from "../../job/index.ts";
import type { Split } from "../formats/split.ts";
import type { Workspace } from "../memory/workspace.ts";
import { CsvColumns, ROOM } from "./csv-columns.ts";
import type { LineRange } from "./line-range.ts";

export interface KeepColumns {
  readonly split: Split;
  readonly format: Extract<InputFormat, { kind: "csv" }>;
  /** Two columns of numbers. */
  readonly key: string;
  readonly value: string;
  take(pair: readonly [number, number]): void;
}

/**
 * Keeps pairs of two columns' numbers. Undefined if it gives up; then the pairs taken are invalid.
 */
export function keepColumns(
  space: Workspace,
  range: LineRange,
  { split, format, key, value, take }: KeepColumns,
): { readonly records: number } | undefined {
  const columns = CsvColumns.open({ space, range, split, format, texts: [] });
  const keyCells = columns?.cells(key);
  const valueCells = columns?.cells(value);
  if (columns === undefined || keyCells === undefined || valueCells === undefined) return undefined;
  let records = 0;
  for (let rows = columns.next(); rows > 0; rows = columns.next()) {
    const { bytes } = space.memory;
    const keys = new Float64Array(bytes.buffer, keyCells, ROOM);
    const values = new Float64Array(bytes.buffer, valueCells, ROOM);
    for (let i = 0; i < rows; i++) take([keys[i] ?? 0, values[i] ?? 0]);
    records += rows;
  }
  return columns.isAtEnd ? { records } : undefined;
}
