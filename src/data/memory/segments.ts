import { join } from "node:path";
import { fetchSegment } from "../bytes/fetch.ts";
import { FetchError } from "../bytes/fetch-error.ts";
import { BLOCK_HEADER_BYTES, type Order } from "../bytes/run-format.ts";
import { RunReader } from "../bytes/run-reader.ts";
import type { SortedRun } from "./merge-to-file.ts";
import type { Workspace } from "./workspace.ts";

/** Of the memory, how much segments may fill; the rest is for merging. */
const KEPT_SHARE = 0.6;
/** Of the thread: what segments are read through, one after the other. */
const through = Buffer.allocUnsafeSlow(1024 * 1024);

export interface SegmentsQuery {
  /** The attempt's own. */
  readonly directory: string;
  /** The task's. */
  readonly memoryBytes: number;
  /** See `RunOptions`. */
  readonly compress?: boolean;
}

export interface SegmentQuery {
  /** The number of the task whose output it is. */
  readonly map: number;
  /** Its output file. */
  readonly path: string;
  readonly partition: number;
}

export interface FetchedSegment {
  readonly bytes: number;
  readonly records: number;
  /** It went to a file, for want of memory. */
  readonly isWritten: boolean;
}

/** What a reduce has copied of others' outputs: in memory while there is room, else in files. */
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

  /** Copies a segment, checking each block; FetchError, and nothing kept, if it is damaged. */
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

  /** Those of these outputs that are in order, in their order; of an empty one there is none. */
  runs(maps: readonly number[], order: Order = "by-key"): readonly SortedRun[] {
    return maps.flatMap((map) => {
      const run = this.#runs.get(map);
      return run?.order === order ? [run] : [];
    });
  }

  /** Undefined: there is no room for it. */
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
        // What is taken may begin a little later, and so ends a little later than it must.
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

/** What fails in reading is the output's fault. */
function reading<T>({ map, path }: SegmentQuery, read: () => T): T {
  try {
    return read();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new FetchError(map, path, reason.replace(`${path}: `, ""));
  }
}
