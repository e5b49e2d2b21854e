import type { InputFormat } from "../../job/index.ts";
import { fileOf, InputFile } from "../formats/input-file.ts";
import type { Split } from "../formats/split.ts";
import { CELL_BYTES, COLUMNS } from "../kernel/kernel.ts";
import type { Workspace } from "../memory/workspace.ts";
import { LineBlocks } from "./line-blocks.ts";
import type { LineRange } from "./line-range.ts";

type CsvFormat = Extract<InputFormat, { kind: "csv" }>;

/** The rows in a batch: their cells fit into a core's first cache. */
export const ROOM = 2048;

/** Bytes of a wanted column: u32 its number, u32 its kind. */
const COLUMN_BYTES = 8;
const HEADER_BYTES_MAX = 64 * 1024;

/**
 * The cells of some columns of a split's rows, a batch at a time: numbers as f64, texts by place
 * and length. Handles only rows without quotes and with as many fields as the header.
 */
export class CsvColumns {
  /** The columns by name, with the place of their cells. */
  readonly #cells: ReadonlyMap<string, number>;
  readonly #space: Workspace;
  readonly #blocks: LineBlocks;
  readonly #layout: Layout;
  /** The bytes of the header that are still to be skipped. */
  #header: number;
  #at = 0;
  #end = 0;
  #isRegular = true;

  private constructor(space: Workspace, range: LineRange, layout: Layout) {
    this.#space = space;
    this.#layout = layout;
    this.#header = layout.headerBytes;
    this.#cells = new Map(layout.wanted.map(({ name, cells }) => [name, cells]));
    this.#blocks = new LineBlocks(space, range);
  }

  /**
   * Undefined if this file's header, or a wanted column, is not fit for the kernels. `texts` are
   * wanted in addition to all columns of numbers, which are read in any case.
   */
  static open(query: {
    readonly space: Workspace;
    readonly range: LineRange;
    readonly split: Split;
    readonly format: CsvFormat;
    readonly texts: readonly string[];
  }): CsvColumns | undefined {
    const { space, range, split, format } = query;
    if (split.compression !== "none") return undefined;
    // The line end before the range may lie within a quoted field.
    if (split.start > 0 && split.firstRecord !== range.start) return undefined;
    const header = headerOf(split, format);
    const layout = header && layoutOf(space, format, header, query.texts);
    return layout && new CsvColumns(space, range, layout);
  }

  /**
   * The place of a column's first cell, `CELL_BYTES` each; undefined if the column was not asked
   * for.
   */
  cells(name: string): number | undefined {
    return this.#cells.get(name);
  }

  /**
   * Reads a batch and returns its number of rows; 0 if there are no more, or the rest is not fit
   * for the kernels.
   */
  next(): number {
    while (this.#isRegular) {
      if (this.#at === this.#end && !this.#nextBlock()) return 0;
      const rows = this.#take();
      if (rows > 0) return rows;
      if (this.#at < this.#end) this.#isRegular = this.#tryFloats();
    }
    return 0;
  }

  /** Whether all rows were read. */
  get isAtEnd(): boolean {
    return this.#isRegular && this.#at === this.#end && this.#blocks.isAtEnd;
  }

  #nextBlock(): boolean {
    const block = this.#blocks.next();
    if (block === undefined) return false;
    this.#at = Math.min(block.end, block.at + this.#header);
    this.#end = block.end;
    this.#header = 0;
    return true;
  }

  #take(): number {
    const { kernel, result } = this.#space;
    const { separator, fields, columns, wanted, cells } = this.#layout;
    const rows = kernel.csvColumns(
      this.#at,
      this.#end,
      separator,
      fields,
      columns,
      wanted.length,
      cells,
      ROOM,
      result,
    );
    this.#at = this.#space.reached;
    return rows;
  }

  /**
   * A number that is no plain integer may be a fraction. Returns false if that was tried before.
   */
  #tryFloats(): boolean {
    const { columns, wanted } = this.#layout;
    let isNew = false;
    const { view } = this.#space.memory;
    for (const i of wanted.keys()) {
      const kind = columns + i * COLUMN_BYTES + 4;
      if (view.getUint32(kind, true) !== COLUMNS.integer) continue;
      view.setUint32(kind, COLUMNS.float, true);
      isNew = true;
    }
    return isNew;
  }
}

/** The layout of the kernels' memory. */
interface Layout {
  readonly headerBytes: number;
  readonly separator: number;
  readonly fields: number;
  readonly columns: number;
  readonly cells: number;
  readonly wanted: readonly { readonly name: string; readonly cells: number }[];
}

interface Header {
  readonly names: readonly string[];
  /** The bytes of the header to skip in this split. */
  readonly bytes: number;
}

/** The first line of the file, if it is plain. */
function headerOf(split: Split, format: CsvFormat): Header | undefined {
  if (!format.header) return { names: format.columns ?? [], bytes: 0 };
  const file = new InputFile(fileOf(split));
  let text: string;
  try {
    text = Buffer.from(file.slice(0, Math.min(HEADER_BYTES_MAX, split.fileBytes))).toString();
  } finally {
    file.close();
  }
  const end = text.indexOf("\n");
  const line = text.slice(0, Math.max(0, end)).replace(/^\ufeff/, "");
  const isPlain = /^[^"\r\ufffd]+\r?$/.test(line);
  if (!isPlain) return undefined;
  const names = line.replace(/\r$/, "").split(format.separator);
  return { names, bytes: split.start === 0 ? Buffer.byteLength(line) + 1 : 0 };
}

function layoutOf(
  space: Workspace,
  { separator, columns: named, numbers }: CsvFormat,
  { names, bytes }: Header,
  texts: readonly string[],
): Layout | undefined {
  // The kernels do not know separators of several bytes.
  if (separator.charCodeAt(0) > 0x7f) return undefined;
  // Where columns share a name, the framing decides which is meant.
  const shown = named === undefined ? names : names.filter((name) => named.includes(name));
  const filled = shown.filter((name) => name !== "");
  if (new Set(filled).size < filled.length) return undefined;
  const wanted = [...new Set([...numbers, ...texts])].map((name) => ({
    name,
    column: names.indexOf(name),
    kind: numbers.includes(name) ? COLUMNS.integer : COLUMNS.bytes,
  }));
  const isThere = [...(named ?? []), ...texts].every((name) => names.includes(name));
  if (!isThere || texts.some((name) => named !== undefined && !named.includes(name))) {
    return undefined;
  }
  wanted.sort((left, right) => left.column - right.column);
  const columns = space.take(wanted.length * COLUMN_BYTES);
  const { view } = space.memory;
  for (const [i, { column, kind }] of wanted.entries()) {
    view.setUint32(columns + i * COLUMN_BYTES, column, true);
    view.setUint32(columns + i * COLUMN_BYTES + 4, kind, true);
  }
  const cells = space.take(wanted.length * ROOM * CELL_BYTES);
  return {
    headerBytes: bytes,
    separator: separator.charCodeAt(0),
    fields: names.length,
    columns,
    cells,
    wanted: wanted.map(({ name }, i) => ({ name, cells: cells + i * ROOM * CELL_BYTES })),
  };
}
