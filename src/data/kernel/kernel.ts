/**
 * The functions of the kernels (WebAssembly, `assembly/`), which work on one memory. Arguments and
 * results are places in the memory and counts. No function writes at or past `outEnd`; up to 64
 * bytes around an input are read and ignored. `result` is the place of 8 bytes for a function's
 * further results. The functions in `assembly/` describe their layouts.
 */
export interface Kernel extends Tables, Groups, Sorting, Bins, Text, Records {}

/** Tables from byte strings to numbers. `ByteCounts` and `ByteGroups` manage them. */
interface Tables {
  tableInit(
    table: number,
    slots: number,
    slotCount: number,
    arena: number,
    arenaBytes: number,
    queue: number,
    seed: number,
  ): void;
  tableSize(table: number): number;
  tableMove(from: number, to: number): void;
  tableEntries(table: number, into: number): number;
  /** The tables of `countWords` have HOT_BYTES after their queue. */
  countsInit(table: number): void;
  countsMove(from: number, to: number): void;
  countsEntries(table: number, into: number): number;
  countWords(table: number, at: number, end: number): number;
  groupKeys(table: number, cells: number, count: number, ids: number): number;
  findKeys(table: number, cells: number, count: number, ids: number): void;
  groupEntries(table: number, into: number): number;
  numbersInit(table: number, slots: number, slotCount: number): void;
  numbersSize(table: number): number;
  numbersMove(from: number, to: number): void;
  groupNumbers(table: number, keys: number, count: number, ids: number): number;
  findNumbers(table: number, keys: number, count: number, ids: number): void;
  numberEntries(table: number, into: number): number;
}

/** Accumulators by id: see `assembly/accumulate.ts`. */
interface Groups {
  countIds(base: number, stride: number, ids: number, count: number): void;
  /**
   * Returns the number of values added; fewer than `count` if the next would make the sum inexact.
   */
  sumValues(base: number, stride: number, ids: number, values: number, count: number): number;
  leastValues(base: number, stride: number, ids: number, keys: number, count: number): void;
  greatestValues(base: number, stride: number, ids: number, keys: number, count: number): void;
  /**
   * `kind`: one of VALUES. Returns the number of values merged; the first of another kind ends the
   * merge.
   */
  mergeValues(
    kind: number,
    base: number,
    stride: number,
    ids: number,
    values: number,
    count: number,
  ): number;
}

interface Sorting {
  /** Returns the place of the sorted entries: `entries` or `scratch`. */
  sortEntries(entries: number, count: number, scratch: number, counts: number): number;
  /** Sorts by partition alone. */
  partEntries(entries: number, count: number, scratch: number, counts: number): number;
  partitionStrings(entries: number, count: number, partitions: number): void;
  partitionKeys(entries: number, count: number, partitions: number): void;
  partitionNumbers(entries: number, count: number, partitions: number): void;
  lowerBound(entries: number, count: number, key: number, bytes: number): number;
  mergeEntries(
    cursors: number,
    count: number,
    skip: number,
    into: number,
    room: number,
    result: number,
  ): number;
  equalKeys(entries: number, count: number, ids: number, values: number): number;
  firstOfEach(entries: number, count: number, ids: number): number;
}

/** Bins of lines by their first bytes: see `assembly/bins.ts`. `LineBins` manages them. */
interface Bins {
  /** Returns the number of lines put into bins; `result`: where to continue. */
  binLines(at: number, end: number, bins: number, linesMax: number, result: number): number;
  binSize(bins: number, index: number): number;
  binEntries(bins: number, index: number, into: number, result: number): void;
  binsClear(bins: number, at: number): void;
}

interface Text {
  lineEntries(at: number, end: number, into: number, room: number, result: number): number;
  countLines(at: number, end: number): number;
  matchingLines(
    at: number,
    end: number,
    literal: number,
    bytes: number,
    first: number,
    second: number,
    into: number,
    room: number,
    result: number,
  ): number;
  csvColumns(
    at: number,
    end: number,
    separator: number,
    fields: number,
    columns: number,
    columnCount: number,
    into: number,
    room: number,
    result: number,
  ): number;
  numberKeys(cells: number, count: number): void;
}

interface Records {
  recordEntries(
    at: number,
    end: number,
    skip: number,
    into: number,
    room: number,
    result: number,
  ): number;
  recordCells(
    at: number,
    end: number,
    cells: number,
    values: number,
    room: number,
    result: number,
  ): number;
  /** `keys`: one of KEYS; `values`: one of VALUES. */
  putRecords(
    entries: number,
    count: number,
    keys: number,
    values: number,
    base: number,
    stride: number,
    out: number,
    outEnd: number,
    result: number,
  ): number;
  putText(
    entries: number,
    count: number,
    keys: number,
    values: number,
    base: number,
    stride: number,
    out: number,
    outEnd: number,
    result: number,
  ): number;
}

/**
 * The kinds of an entry's key: a string's bytes; an encoded key; a number's u64; a record's key.
 */
export const KEYS = { plain: 0, encoded: 1, number: 2, record: 3 } as const;

/**
 * The kinds of an entry's value: the count in the slot that the entry names; an accumulator at
 * `base + stride * id`; the value of the record that the entry names; `stride` bytes at `base`;
 * none.
 */
export const VALUES = {
  slot: 0,
  count: 1,
  sum: 2,
  mean: 3,
  least: 4,
  greatest: 5,
  record: 6,
  constant: 7,
  none: 8,
} as const;

/** The cells that `csvColumns` makes of a field: u32 place and bytes, or f64. */
export const COLUMNS = { bytes: 0, integer: 1, float: 2 } as const;

/** The result of `findKeys` and `findNumbers` for a missing key. */
export const MISSING = 0xffff_ffff;

export const ENTRY_BYTES = 24;
export const CURSOR_BYTES = 40;
/** The bytes of a cell: a key's or field's place and length, or a number. */
export const CELL_BYTES = 8;
export const RESULT_BYTES = 8;
/** The bytes that `sortEntries` counts in. */
export const COUNTS_BYTES = 1024;
/** Sizes of the parts of tables. */
export const SLOT_BYTES = 32;
export const NUMBER_SLOT_BYTES = 16;
export const HEADER_BYTES = 64;
export const QUEUE_BYTES = 256 * 32 + 64;
export const HOT_BYTES = 4096 * SLOT_BYTES;
/** Sizes of the header before bins, of the parts of bins, and of the area after them. */
export const BINS_HEADER_BYTES = 16;
export const SPLITTER_BYTES = 8;
export const BIN_BYTES = 24;
export const BINS_END_BYTES = 32 * ENTRY_BYTES;
