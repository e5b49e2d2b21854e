import { join } from "node:path";
import { BLOCK_HEADER_BYTES } from "../bytes/run-format.ts";
import { RunReader } from "../bytes/run-reader.ts";
import { type RunWriter, writeRun } from "../bytes/run-writer.ts";
import { GroupTable } from "../kernel/groups.ts";
import { CELL_BYTES, ENTRY_BYTES, KEYS, VALUES } from "../kernel/kernel.ts";
import type { Entries } from "./entries.ts";
import { removeRuns, type SortedRun } from "./merge-to-file.ts";
import { type NumberFoldKind, strideOf, VALUES_OF } from "./number-fold.ts";
import { type PairShape, putAll, putTable } from "./put-run.ts";
import type { Workspace } from "./workspace.ts";

/** Records that are looked up together, so that waits for memory overlap. */
const BATCH = 1024;

/** No record is this large: the keys of unordered runs are short. */
const RECORD_BYTES = 64 * 1024;

export interface UnorderedQuery {
  /** The memory after the held runs is free. */
  readonly space: Workspace;
  /** Runs of one partition each, in any order; each key's value is an accumulator of the fold. */
  readonly from: readonly SortedRun[];
  readonly numbers: NumberFoldKind;
  /** The directory for new run files. */
  readonly directory: string;
  /** See `RunOptions`. */
  readonly compress?: boolean;
}

/** Entries of keys, and their shape. */
export interface Folded {
  readonly entries: Entries;
  readonly shape: PairShape;
}

/**
 * Folds unordered runs in a table, so that each key occurs once; the table goes to a file whenever
 * it is full. It uses the free memory until `close`, which deletes the runs.
 */
export class UnorderedRuns {
  readonly #query: UnorderedQuery;
  readonly #space: Workspace;
  readonly #window: number;
  readonly #cells: number;
  readonly #ids: number;
  readonly #values: number;
  readonly #entry: number;
  readonly #groups: GroupTable;
  readonly #mark: number;
  readonly #runs: SortedRun[] = [];
  #records = 0;
  #recordsLeft = 0;

  constructor(query: UnorderedQuery) {
    const { space, numbers, from } = query;
    const { kernel, memory } = space;
    this.#query = query;
    this.#space = space;
    this.#mark = memory.used;
    this.#cells = space.take(BATCH * CELL_BYTES);
    this.#ids = space.take(BATCH * 4);
    this.#values = space.take(BATCH * 4);
    this.#entry = space.take(ENTRY_BYTES);
    const windowBytes = Math.max(0, ...from.map(largestBlock));
    this.#window = space.take(windowBytes);
    const options = { keys: "encoded", stride: strideOf(numbers) } as const;
    this.#groups = GroupTable.ofBytes(kernel, memory, options);
    for (const run of from) {
      if (run.kind === "memory") this.#add(run.at, run.end);
      else this.#addFile(run.path);
    }
  }

  /** The number of records that folding has saved. */
  get recordsFolded(): number {
    return this.#records - this.#recordsLeft;
  }

  /** Each key once, in order; undefined if there is no room for all. Valid until `close`. */
  sorted(): Folded | undefined {
    if (this.#runs.length > 0) return undefined;
    const space = this.#space;
    const { memory } = space;
    const mark = memory.used;
    const entries = this.#groups.sorted();
    // The caller, which writes the entries, may need room for a copy of one record.
    if (memory.free < RECORD_BYTES) {
      memory.release(mark);
      return undefined;
    }
    this.#recordsLeft = entries.count;
    return { entries, shape: this.#shape };
  }

  /** The folded records as ordered runs. Closes itself. */
  toRuns(): readonly SortedRun[] {
    this.#write();
    this.close();
    return this.#runs;
  }

  close(): void {
    this.#space.memory.release(this.#mark);
    removeRuns(this.#query.from);
  }

  #addFile(path: string): void {
    const reader = new RunReader(path);
    try {
      for (const block of reader.blocks(0)) {
        this.#space.memory.bytes.set(block, this.#window);
        this.#add(this.#window + BLOCK_HEADER_BYTES, this.#window + block.length);
      }
    } finally {
      reader.close();
    }
  }

  /** Adds the records between two places. */
  #add(from: number, end: number): void {
    for (let at = from; at < end; ) {
      const isFresh = this.#groups.size === 0;
      const count = this.#look(at, end, BATCH);
      const next = this.#space.reached;
      const added = this.#tryAdd(count);
      this.#records += added;
      if (added === count) {
        at = next;
        continue;
      }
      // There is no room, or a sum would not be exact.
      if (added > 0) {
        this.#look(at, end, added);
        at = this.#space.reached;
      }
      this.#write();
      if (added === 0 && isFresh) at = this.#writeAlone(at, end);
    }
  }

  /** Writes the table's contents as a run. */
  #write(): void {
    if (this.#groups.size > 0) {
      const space = this.#space;
      const table = this.#groups;
      const shape = this.#shape;
      const how = { space, table, shape, partitions: 1, order: "by-key" } as const;
      this.#writeRun((writer) => {
        this.#recordsLeft += putTable({ ...how, writer });
      });
    }
    this.#groups.clear();
  }

  /**
   * Writes a record that does not fit even into an empty table as a run; returns the place of the
   * next.
   */
  #writeAlone(at: number, end: number): number {
    const space = this.#space;
    const entry = this.#entry;
    space.kernel.recordEntries(at, end, 0, entry, 1, space.result);
    const next = space.reached;
    this.#writeRun((writer) => {
      putAll(space, { at: entry, count: 1 }, WHOLE, writer);
      writer.endPartition();
    });
    this.#records++;
    this.#recordsLeft++;
    return next;
  }

  #look(at: number, end: number, room: number): number {
    const { kernel, result } = this.#space;
    return kernel.recordCells(at, end, this.#cells, this.#values, room, result);
  }

  /** Returns how many of the first records were added. */
  #tryAdd(count: number): number {
    const { kernel } = this.#space;
    const ids = this.#ids;
    const grouped = this.#groups.group(this.#cells, count, ids);
    const { values: kind, base, stride } = this.#shape;
    return kernel.mergeValues(kind, base, stride, ids, this.#values, grouped);
  }

  /** The shape of the table's entries. */
  get #shape(): PairShape {
    const { numbers } = this.#query;
    const base = this.#groups.accumulators;
    return { keys: KEYS.encoded, values: VALUES_OF[numbers], base, stride: strideOf(numbers) };
  }

  #writeRun(fill: (writer: RunWriter) => void): void {
    const path = join(this.#query.directory, `folded-${this.#runs.length}.run`);
    writeRun(path, fill, this.#query);
    this.#runs.push({ kind: "file", path });
  }
}

/** Records copied unchanged. */
const WHOLE: PairShape = { keys: KEYS.record, values: VALUES.record, base: 0, stride: 0 };

function largestBlock(run: SortedRun): number {
  if (run.kind === "memory") return 0;
  const reader = new RunReader(run.path);
  reader.close();
  return reader.segment(0).blockBytesMax;
}
