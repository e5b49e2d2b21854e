import type { Input } from "../../job/index.ts";
import type { FileState } from "./input-file.ts";
import type { BadRecords, OnBadRecord } from "./malformed.ts";
import type { RecordReader } from "./record-reader.ts";
import type { Compression, Split } from "./split.ts";

/**
 * Everything that depends on the format of an input: a new format is one of these, in `formats.ts`.
 */
export interface Format {
  /** The npm packages that read it; they are shipped to every place where tasks run. */
  readonly packages: readonly string[];
  /** The places where the splits of a file start. */
  cut(file: FileState, how: Cutting): Promise<Cuts>;
  /**
   * The first byte that a file on another machine must be read from to find these places; undefined
   * if it need not be read.
   */
  cutReads(file: RemoteFile): Promise<number | undefined>;
  /** The bytes of the file that a split's records need; undefined if all of them. */
  needs(split: Split): Needed | undefined;
  /** The records that start in a split. */
  open(query: Opening): RecordReader;
}

export interface Cutting {
  readonly splitBytes: number;
  readonly onBadRecord: OnBadRecord;
}

export interface Cuts {
  readonly compression: Compression | "none";
  /** Rising; the first is 0. */
  readonly starts: readonly number[];
  /** See `Split`. */
  readonly firstRecords?: readonly number[];
}

export interface RemoteFile {
  readonly path: string;
  readonly bytes: number;
  /** Whether the file is longer than one split. */
  readonly isCut: boolean;
  read(from: number, to: number): Promise<Buffer>;
}

export interface Needed {
  /** The number of bytes needed of the file's beginning. */
  readonly head: number;
  readonly from: number;
  readonly to: number;
  /** Whether the range extends to the end of the line that holds the byte before `to`. */
  readonly toLineEnd: boolean;
}

export interface Opening {
  readonly split: Split;
  readonly decode: Input<unknown>["decode"];
  readonly bad: BadRecords;
  /** The task's memory, which no record may exceed. */
  readonly memoryBytes?: number;
}
