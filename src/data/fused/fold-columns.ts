import type { InputFormat } from "../../job/index.ts";
import type { NumberFoldKind } from "../memory/number-fold.ts";
import { type Drain, RunFiles } from "../memory/run-files.ts";
import type { Workspace } from "../memory/workspace.ts";
import { ColumnFold } from "./column-fold.ts";
import { CsvColumns } from "./csv-columns.ts";
import { type FusedMap, type FusedResult, report } from "./fused-map.ts";
import type { LineRange } from "./line-range.ts";

export interface FoldColumns {
  readonly format: Extract<InputFormat, { kind: "csv" }>;
  /** A column of texts or of numbers. */
  readonly key: string;
  /** The column of values, which are numbers; counting needs none. */
  readonly value: string | undefined;
  readonly kind: NumberFoldKind;
}

/** A fold of one column's numbers by another column: pairs of key and accumulator. */
export function foldColumns(
  task: FusedMap,
  space: Workspace,
  range: LineRange,
  { format, key, value, kind }: FoldColumns,
): FusedResult | undefined {
  const { numbers } = format;
  const isNumber = numbers.includes(key);
  if (key === value || (kind !== "count" && !(value !== undefined && numbers.includes(value)))) {
    return undefined;
  }
  const { partitions, split } = task;
  const files = new RunFiles({ ...task, space, numbers: kind });
  const texts = isNumber ? [] : [key];
  const columns = CsvColumns.open({ space, range, split, format, texts });
  const keyCells = columns?.cells(key);
  const valueCells = value === undefined ? 0 : columns?.cells(value);
  if (columns === undefined || keyCells === undefined || valueCells === undefined) return undefined;
  const fold = new ColumnFold(space, { isNumber, kind, keys: keyCells, values: valueCells });
  const drain: Drain = (writer, order) => fold.drainTo(writer, partitions, order);
  let records = 0;
  for (let rows = columns.next(); rows > 0; rows = columns.next()) {
    if (!fold.tryAdd(rows, () => files.spill(drain))) return undefined;
    records += rows;
    report(task, { records, bytesRead: range.bytesRead, bytesWritten: files.bytesSpilled });
  }
  if (!columns.isAtEnd) return undefined;
  const result = files.finish(drain, fold.isEmpty);
  return { ...result, inputRecords: records, inputBytes: range.bytesRead };
}
