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

/** Records that are looked up together: waiting for memory overlaps. */
const BATCH = 1024;

/** No record takes so much: its key is a short one. */
const RECORD_BYTES = 64 * 1024;

/** Drawn in each thread, so that no input can be made whose keys all meet in one slot. */
const SEED = Math.trunc(Math.random() * 2 ** 32);

export interface UnorderedQuery {
  /** It is free behind the runs that are held there. */
  readonly space: Workspace;
  /** Of one partition each, in any order, each key's value an accumulator of the fold. */
  readonly from: readonly SortedRun[];
  readonly numbers: NumberFoldKind;
  /** Where runs are written: files that are not there yet. */
  readonly directory: string;
  /** See `RunOptions`. */
  readonly compress?: boolean;
}

/** A key's entries, and what they are. */
export interface Folded {
  readonly entries: Entries;
  readonly shape: PairShape;
}

/**
 * Brings unordered runs together, each key once, in a table; which goes to a file whenever it is
 * full. It takes what is free of the memory until it is closed; then the runs are gone.
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
    const options = { keys: "encoded", seed: SEED, stride: strideOf(numbers) } as const;
    this.#groups = GroupTable.ofBytes(kernel, memory, options);
    for (const run of from) {
      if (run.kind === "memory") this.#add(run.at, run.end);
      else this.#addFile(run.path);
    }
  }

  /** How many records the runs had, beyond those that are left of them. */
  get recordsFolded(): number {
    return this.#records - this.#recordsLeft;
  }

  /** Each key once, in order; undefined: there is no room for all. Until it is closed. */
  sorted(): Folded | undefined {
    if (this.#runs.length > 0) return undefined;
    const space = this.#space;
    const { memory } = space;
    const mark = memory.used;
    const entries = this.#groups.sorted();
    // Who writes them may want a copy of one.
    if (memory.free < RECORD_BYTES) {
      memory.release(mark);
      return undefined;
    }
    this.#recordsLeft = entries.count;
    return { entries, shape: this.#shape };
  }

  /** The same as runs that are in order. It is closed then. */
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

  /** The records between two places. */
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
      // No room, or a sum that would not be exact.
      if (added > 0) {
        this.#look(at, end, added);
        at = this.#space.reached;
      }
      this.#write();
      if (added === 0 && isFresh) at = this.#writeAlone(at, end);
    }
  }

  /** What the table holds becomes a run. */
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

  /** A record that not even an empty table takes becomes a run; where the next one is. */
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

  /** How many of the first records it takes. */
  #tryAdd(count: number): number {
    const { kernel } = this.#space;
    const ids = this.#ids;
    const grouped = this.#groups.group(this.#cells, count, ids);
    const { values: kind, base, stride } = this.#shape;
    return kernel.mergeValues(kind, base, stride, ids, this.#values, grouped);
  }

  /** What the table's entries are. */
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

/** Records as they stand. */
const WHOLE: PairShape = { keys: KEYS.record, values: VALUES.record, base: 0, stride: 0 };

function largestBlock(run: SortedRun): number {
  if (run.kind === "memory") return 0;
  const reader = new RunReader(run.path);
  reader.close();
  return reader.segment(0).blockBytesMax;
}
