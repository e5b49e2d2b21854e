import type { InputFormat } from "../../job/index.ts";
import type { JoinSide } from "../../job/parts.ts";
import { CELL_BYTES } from "../kernel/kernel.ts";
import type { NumberFoldKind } from "../memory/number-fold.ts";
import { type Drain, RunFiles } from "../memory/run-files.ts";
import type { Workspace } from "../memory/workspace.ts";
import { ColumnFold } from "./column-fold.ts";
import { CsvColumns, ROOM } from "./csv-columns.ts";
import { type FusedMap, type FusedResult, report } from "./fused-map.ts";
import type { LineRange } from "./line-range.ts";
import { Found, type NumberTable } from "./number-table.ts";

export interface JoinColumns {
  readonly format: Extract<InputFormat, { kind: "csv" }>;
  /** The left side: two columns of numbers. */
  readonly key: string;
  readonly left: string;
  /** The right side. */
  readonly table: NumberTable;
  /** The fold of the rows whose key the table has. */
  readonly by: { readonly key: JoinSide; readonly value: JoinSide };
  readonly kind: NumberFoldKind;
}

/** An inner join of columns with a table, and a fold of one of its numbers by another. */
export function joinColumns(
  task: FusedMap,
  space: Workspace,
  range: LineRange,
  { format, key, left, table, by, kind }: JoinColumns,
): FusedResult | undefined {
  const { partitions, split } = task;
  const files = new RunFiles({ ...task, space, numbers: kind });
  const columns = CsvColumns.open({ space, range, split, format, texts: [] });
  const keyCells = columns?.cells(key);
  const leftCells = columns?.cells(left);
  if (columns === undefined || keyCells === undefined || leftCells === undefined) return undefined;
  const keys = space.take(ROOM * CELL_BYTES);
  const values = space.take(ROOM * CELL_BYTES);
  const fold = new ColumnFold(space, { isNumber: true, kind, keys, values });
  const drain: Drain = (writer, order) => fold.drainTo(writer, partitions, order);
  const found = new Found();
  let records = 0;
  for (let rows = columns.next(); rows > 0; rows = columns.next()) {
    const { memory } = space;
    const cells = (at: number) => new Float64Array(memory.bytes.buffer, at, ROOM);
    const met = table.find(cells(keyCells), rows, found);
    const gather = (side: JoinSide, into: Float64Array): void => {
      if (side === "right") into.set(found.values);
      else pick(cells(leftCells), found.rows, met, into);
    };
    gather(by.key, cells(keys));
    gather(by.value, cells(values));
    if (!fold.tryAdd(met, () => files.spill(drain))) return undefined;
    records += rows;
    report(task, { records, bytesRead: range.bytesRead, bytesWritten: files.bytesSpilled });
  }
  if (!columns.isAtEnd) return undefined;
  const result = files.finish(drain, fold.isEmpty);
  return { ...result, inputRecords: records, inputBytes: range.bytesRead };
}

function pick(from: Float64Array, rows: Uint32Array, count: number, into: Float64Array): void {
  for (let i = 0; i < count; i++) into[i] = from[rows[i] ?? 0] ?? 0;
}
