import { InputError } from "../../base/input-error.ts";
import { fileOf, InputFile } from "./input-file.ts";
import type { BadRecords } from "./malformed.ts";
import { ParquetFile, type RowGroup, type Rows } from "./parquet-file.ts";
import type { RecordReader } from "./record-reader.ts";
import type { Split } from "./split.ts";

export interface ParquetFormat {
  /** All columns if absent. */
  readonly columns?: readonly string[];
}

/**
 * The rows of the row groups that start in a split, as objects by column. Memory holds a batch of
 * rows of the wanted columns, and the stored part of one column of a row group.
 */
export class ParquetRecords implements RecordReader {
  readonly #split: Split;
  readonly #format: ParquetFormat;
  readonly #bad: BadRecords;
  #rowsDone = 0;
  #rowsAll = 0;
  /** The current row, counted over all rows of the file. */
  #row: number | undefined;
  #isAtRecord = false;

  constructor(query: {
    readonly split: Split;
    readonly format: ParquetFormat;
    readonly bad: BadRecords;
  }) {
    this.#split = query.split;
    this.#format = query.format;
    this.#bad = query.bad;
  }

  async *pieces(take: (record: unknown) => void): AsyncGenerator<void, void, undefined> {
    const { fileBytes, start, end } = this.#split;
    if (fileBytes === 0) return;
    const file = new InputFile(fileOf(this.#split));
    try {
      const parquet = await ParquetFile.open(file);
      const names = this.#names(parquet);
      const groups = parquet.rowGroups.filter((group) => group.start >= start && group.start < end);
      this.#rowsAll = groups.reduce((sum, { rows }) => sum + rows, 0);
      for (const group of groups) yield* this.#takeGroup(parquet, group, names, take);
    } catch (error) {
      if (this.#isAtRecord) throw error;
      this.#bad.take(error, () => this.place());
    } finally {
      file.close();
    }
  }

  /** A row group that cannot be read counts as one bad record. */
  async *#takeGroup(
    parquet: ParquetFile,
    group: RowGroup,
    names: readonly string[],
    take: (record: unknown) => void,
  ): AsyncGenerator<void, void, undefined> {
    const groupEnd = group.firstRow + group.rows;
    const rowsAtOnce = rowsWithin(group, names);
    for (let start = group.firstRow; start < groupEnd; start += rowsAtOnce) {
      const rows = { start, end: Math.min(start + rowsAtOnce, groupEnd) };
      this.#row = start;
      let columns: readonly ArrayLike<unknown>[];
      try {
        columns = await parquet.read(group, rows, names);
      } catch (error) {
        return this.#bad.take(error, () => this.place());
      }
      this.#takeRows(rows, names, columns, take);
      yield;
    }
  }

  #takeRows(
    { start, end }: Rows,
    names: readonly string[],
    columns: readonly ArrayLike<unknown>[],
    take: (record: unknown) => void,
  ): void {
    for (let row = start; row < end; row++) {
      this.#row = row;
      const record: Record<string, unknown> = {};
      for (const [i, name] of names.entries()) record[name] = withNulls(columns[i]?.[row - start]);
      this.#isAtRecord = true;
      take(record);
      this.#isAtRecord = false;
      this.#rowsDone++;
    }
  }

  #names(parquet: ParquetFile): readonly string[] {
    const { columns } = this.#format;
    if (columns === undefined) return parquet.columns;
    for (const column of columns) {
      if (parquet.columns.includes(column)) continue;
      const found = `found ${parquet.columns.join(", ")}`;
      const expected = `expected a column ${JSON.stringify(column)}, ${found}`;
      throw new InputError("bad-input", this.#split.file, expected);
    }
    return columns;
  }

  get isAtRecord(): boolean {
    return this.#isAtRecord;
  }

  get bytesRead(): number {
    return Math.floor(this.score * (this.#split.end - this.#split.start));
  }

  get score(): number {
    return this.#rowsAll === 0 ? 0 : this.#rowsDone / this.#rowsAll;
  }

  /** The current row, from 1; 0 before the first. */
  get at(): number {
    return this.#row === undefined ? 0 : this.#row + 1;
  }

  place(at = this.at): string {
    const { file } = this.#split;
    return at === 0 ? file : `${file}: row ${at}`;
  }
}

/** Decompressed bytes that are read at once; as JavaScript values they may take far more. */
const ROWS_BYTES = 8 * 1024 * 1024;
const ROWS_MIN = 1024;

function rowsWithin(group: RowGroup, names: readonly string[]): number {
  const bytes = names.reduce((sum, name) => sum + (group.columnBytes.get(name) ?? 0), 0);
  return Math.max(ROWS_MIN, Math.floor((group.rows * ROWS_BYTES) / Math.max(1, bytes)));
}

/** The package returns `undefined` for null in a nested column. */
function withNulls(value: unknown): unknown {
  if (value === undefined) return null;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(withNulls);
  if (Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withNulls(inner)]));
}
