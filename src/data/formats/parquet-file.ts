import type { Compressors, FileMetaData, ParquetScan } from "hyparquet";
import { InputError } from "../../base/input-error.ts";
import { textOf } from "./byte-text.ts";
import type { InputFile } from "./input-file.ts";
import { Malformed } from "./malformed.ts";
import { optionalPackage } from "./optional-package.ts";
import { codecsFor } from "./parquet-codecs.ts";

export type Hyparquet = typeof import("hyparquet");

/** A row group of a Parquet file, which stores each column apart. */
export interface RowGroup {
  /** The place in the file at which its first column starts. */
  readonly start: number;
  /** Its first row, counted over all rows of the file. */
  readonly firstRow: number;
  readonly rows: number;
  /** The decompressed bytes of each column. */
  readonly columnBytes: ReadonlyMap<string, number>;
}

/** Some rows of a row group. */
export interface Rows {
  /** The first row, counted over all rows of the file. */
  readonly start: number;
  readonly end: number;
}

/** A Parquet file, read by the package `hyparquet`, which users may install. */
export class ParquetFile {
  readonly #file: InputFile;
  readonly #package: Hyparquet;
  readonly #metadata: FileMetaData;
  readonly #compressors: Compressors;
  readonly rowGroups: readonly RowGroup[];

  private constructor(file: InputFile, read: Opened) {
    this.#file = file;
    this.#package = read.hyparquet;
    this.#metadata = read.metadata;
    this.#compressors = read.compressors;
    this.rowGroups = rowGroupsOf(read.metadata);
  }

  /** Reads the file's end. Throws Malformed if the file is not Parquet. */
  static async open(file: InputFile): Promise<ParquetFile> {
    const hyparquet = await loadHyparquet();
    const footer = `${file.path}: byte ${Math.max(0, file.bytes - FOOTER_BYTES)}`;
    try {
      if (file.bytes < BYTES_MIN) throw new Error(`it has ${file.bytes} bytes`);
      const metadata = await hyparquet.parquetMetadataAsync(asyncBuffer(file));
      const compressors = await codecsFor(file, metadata);
      return new ParquetFile(file, { hyparquet, metadata, compressors });
    } catch (error) {
      throw asMalformed(error, footer);
    }
  }

  /** The names of the file's columns. */
  get columns(): readonly string[] {
    const { children } = this.#package.parquetSchema(this.#metadata);
    return children.map(({ element }) => element.name);
  }

  /** The columns' values in some rows of a row group, in the order of the names. */
  async read(
    group: RowGroup,
    { start: rowStart, end: rowEnd }: Rows,
    names: readonly string[],
  ): Promise<readonly ArrayLike<unknown>[]> {
    const range = { rowStart, rowEnd };
    try {
      const scan: ParquetScan = await this.#package.parquetScan({
        file: asyncBuffer(this.#file),
        metadata: this.#metadata,
        columns: [...names],
        compressors: this.#compressors,
        parsers: { stringFromBytes: (bytes: Uint8Array) => textOf(Buffer.from(bytes)) },
        ...range,
      });
      const columns: ArrayLike<unknown>[] = [];
      for (const column of names) columns.push(await scan.readColumn({ column, ...range }));
      return columns;
    } catch (error) {
      throw asMalformed(error, `${this.#file.path}: byte ${group.start}`);
    }
  }
}

interface Opened {
  readonly hyparquet: Hyparquet;
  readonly metadata: FileMetaData;
  readonly compressors: Compressors;
}

/** The bytes of the metadata's length and of the mark at the end. */
const FOOTER_BYTES = 8;
/** The footer and the mark at the start. */
const BYTES_MIN = 12;

/**
 * Throws an InputError if the package is not installed. `name` is a parameter for the test of this
 * function.
 */
export async function loadHyparquet(name = "hyparquet"): Promise<Hyparquet> {
  const found = await optionalPackage((): Promise<Hyparquet> => import(name));
  if (found !== undefined) return found;
  const expected = `to read Parquet, install the package ${name}: npm install ${name}`;
  throw new InputError("bad-input", "parquet", expected);
}

const asyncBuffer = (file: InputFile) => ({
  byteLength: file.bytes,
  slice: (start: number, end = file.bytes): ArrayBuffer =>
    file.slice(Math.max(0, start), Math.min(end, file.bytes)).buffer,
});

function rowGroupsOf(metadata: FileMetaData): readonly RowGroup[] {
  let firstRow = 0;
  return metadata.row_groups.map((group) => {
    const starts = group.columns.map(({ meta_data: column, file_offset: start }) =>
      Number(column?.dictionary_page_offset ?? column?.data_page_offset ?? start),
    );
    const rows = Number(group.num_rows);
    const columnBytes = new Map<string, number>();
    for (const { meta_data: column } of group.columns) {
      const name = column?.path_in_schema[0] ?? "";
      const bytes = Number(column?.total_uncompressed_size ?? 0);
      columnBytes.set(name, (columnBytes.get(name) ?? 0) + bytes);
    }
    const at = { start: Math.min(...starts), firstRow, rows, columnBytes };
    firstRow += rows;
    return at;
  });
}

/** The package's error, which it throws for any fault of a file. */
function asMalformed(error: unknown, place: string): unknown {
  if (error instanceof InputError) return error;
  const reason = error instanceof Error ? error.message : String(error);
  return new Malformed(`expected a whole Parquet file: ${reason}`, { place });
}
