import { join } from "node:path";
import { fetchSegment } from "../bytes/fetch.ts";
import { FetchError } from "../bytes/fetch-error.ts";
import { BLOCK_HEADER_BYTES, type Order } from "../bytes/run-format.ts";
import { RunReader } from "../bytes/run-reader.ts";
import type { SortedRun } from "./merge-to-file.ts";
import type { Workspace } from "./workspace.ts";

/** The share of the memory that segments may fill; the rest is for merging. */
const KEPT_SHARE = 0.6;
/** The buffer of this thread through which segments are read, one after another. */
const through = Buffer.allocUnsafeSlow(1024 * 1024);

export interface SegmentsQuery {
  /** The attempt's own directory. */
  readonly directory: string;
  /** The task's memory. */
  readonly memoryBytes: number;
  /** See `RunOptions`. */
  readonly compress?: boolean;
}

export interface SegmentQuery {
  /** The number of the task that wrote the output. */
  readonly map: number;
  /** The task's output file. */
  readonly path: string;
  readonly partition: number;
}

export interface FetchedSegment {
  readonly bytes: number;
  readonly records: number;
  /** Whether the segment went to a file, for want of memory. */
  readonly isWritten: boolean;
}

/**
 * The segments that a reduce has copied from others' outputs: in memory while there is room, else
 * in files.
 */
export class Segments {
  readonly #space: Workspace;
  readonly #directory: string;
  readonly #runs = new Map<number, SortedRun & { readonly order: Order }>();
  readonly #keptEnd: number;
  readonly #compress: boolean | undefined;

  constructor(space: Workspace, query: SegmentsQuery) {
    const { directory, memoryBytes, compress } = query;
    this.#space = space;
    this.#directory = directory;
    this.#compress = compress;
    this.#keptEnd = space.memory.used + memoryBytes * KEPT_SHARE;
  }

  /**
   * Copies a segment, checking each block; if it is damaged, throws a FetchError and keeps nothing.
   */
  fetch(query: SegmentQuery): FetchedSegment {
    const { map, path } = query;
    const reader = reading(query, () => new RunReader(path));
    try {
      const { bytes, records } = reading(query, () => reader.segment(query.partition));
      if (records === 0) return { bytes, records, isWritten: false };
      const kept = this.#keep(query, reader);
      this.#runs.set(map, { ...(kept ?? this.#write(query)), order: reader.order });
      return { bytes, records, isWritten: kept === undefined };
    } finally {
      reader.close();
    }
  }

  /**
   * The runs of these outputs that have the order, in the order of `maps`; an empty output has
   * none.
   */
  runs(maps: readonly number[], order: Order = "by-key"): readonly SortedRun[] {
    return maps.flatMap((map) => {
      const run = this.#runs.get(map);
      return run?.order === order ? [run] : [];
    });
  }

  /** Undefined if there is no room. */
  #keep(query: SegmentQuery, reader: RunReader): SortedRun | undefined {
    const { memory } = this.#space;
    const mark = memory.used;
    let isKept = false;
    try {
      const at = memory.used;
      let end = at;
      for (const blocks = reader.blocks(query.partition, through); ; ) {
        const { value: block, done } = reading(query, () => blocks.next());
        if (done) break;
        const bytes = block.length - BLOCK_HEADER_BYTES;
        memory.release(end);
        // Memory may be taken from a slightly later place than needed, and so end later.
        if (end + bytes > this.#keptEnd || memory.tryTake(bytes) === undefined) return undefined;
        memory.bytes.set(block.subarray(BLOCK_HEADER_BYTES), end);
        end += bytes;
      }
      memory.release(end);
      isKept = true;
      return { kind: "memory", at, end };
    } finally {
      if (!isKept) memory.release(mark);
    }
  }

  #write(query: SegmentQuery): SortedRun {
    const path = join(this.#directory, `segment-${query.map}.run`);
    const compress = this.#compress;
    fetchSegment({ ...query, to: path, ...(compress !== undefined && { compress }) });
    return { kind: "file", path };
  }
}

/** A failed read is the output's fault. */
function reading<T>({ map, path }: SegmentQuery, read: () => T): T {
  try {
    return read();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new FetchError(map, path, reason.replace(`${path}: `, ""));
  }
}
