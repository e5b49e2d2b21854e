/**
 * What the kernels can do (WebAssembly, `assembly/`): functions over one memory. Arguments and
 * results are places in it and counts. What is put never reaches `outEnd`; up to 64 bytes around
 * what is read are read and not looked at. `result` is the place of 8 bytes for what else a
 * function returns. Layouts stand with the functions in `assembly/`.
 */
export interface Kernel extends Tables, Groups, Sorting, Bins, Text, Records {}

/** Byte strings, each with a number of its own. `ByteCounts` and `ByteGroups` manage them. */
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
  /** Tables of `countWords` have HOT_BYTES behind their queue. */
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
  /** How many were added; fewer: the next would not leave the sum exact. */
  sumValues(base: number, stride: number, ids: number, values: number, count: number): number;
  leastValues(base: number, stride: number, ids: number, keys: number, count: number): void;
  greatestValues(base: number, stride: number, ids: number, keys: number, count: number): void;
  /** `kind`: one of VALUES. How many were merged: the first that is of another kind ends it. */
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
  /** Where the sorted entries are: at `entries` or `scratch`. */
  sortEntries(entries: number, count: number, scratch: number, counts: number): number;
  /** The same by partition alone. */
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

/** Lines by their first bytes: see `assembly/bins.ts`. `LineBins` manages them. */
interface Bins {
  /** How many lines were put; `result`: where to go on. */
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

/** What an entry's key is: a string's bytes; a key as encoded; a number's u64; its record's. */
export const KEYS = { plain: 0, encoded: 1, number: 2, record: 3 } as const;

/**
 * What an entry's value is: the count in the slot that it names; an accumulator at `base + stride *
 * id`; that of the record that it names; `stride` bytes at `base`; none.
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

/** What `csvColumns` makes of a field: u32 place and bytes, or f64. */
export const COLUMNS = { bytes: 0, integer: 1, float: 2 } as const;

/** What `findKeys` and `findNumbers` say of a key that is not there. */
export const MISSING = 0xffff_ffff;

export const ENTRY_BYTES = 24;
export const CURSOR_BYTES = 40;
/** Of a cell: a key's or field's place and bytes, or a number. */
export const CELL_BYTES = 8;
export const RESULT_BYTES = 8;
/** What `sortEntries` counts in. */
export const COUNTS_BYTES = 1024;
/** Parts of tables. */
export const SLOT_BYTES = 32;
export const NUMBER_SLOT_BYTES = 16;
export const HEADER_BYTES = 64;
export const QUEUE_BYTES = 256 * 32 + 64;
export const HOT_BYTES = 4096 * SLOT_BYTES;
/** What stands before bins; parts of them; what stands behind them. */
export const BINS_HEADER_BYTES = 16;
export const SPLITTER_BYTES = 8;
export const BIN_BYTES = 24;
export const BINS_END_BYTES = 32 * ENTRY_BYTES;
