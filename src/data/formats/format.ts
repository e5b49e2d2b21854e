import type { Input } from "../../job/index.ts";
import type { FileState } from "./input-file.ts";
import type { BadRecords, OnBadRecord } from "./malformed.ts";
import type { RecordReader } from "./record-reader.ts";
import type { Compression, Split } from "./split.ts";

/** All that depends on the format of an input: a new format is a file that makes one of these. */
export interface Format {
  /** Packages of npm that read it: they are shipped to wherever tasks run. */
  readonly packages: readonly string[];
  /** Where the splits of a file start. */
  cut(file: FileState, how: Cutting): Promise<Cuts>;
  /** The byte from which on a file on another machine is read for that; undefined: it is not. */
  cutReads(file: RemoteFile): Promise<number | undefined>;
  /** The bytes of its file that a split's records need; undefined: all of them. */
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
  /** Whether it is longer than one split. */
  readonly isCut: boolean;
  read(from: number, to: number): Promise<Buffer>;
}

export interface Needed {
  /** So many bytes of the file's beginning. */
  readonly head: number;
  readonly from: number;
  readonly to: number;
  /** Whether it goes on to the end of the line in which the byte before `to` stands. */
  readonly toLineEnd: boolean;
}

export interface Opening {
  readonly split: Split;
  readonly decode: Input<unknown>["decode"];
  readonly bad: BadRecords;
  /** Of the task: what no record may exceed. */
  readonly memoryBytes?: number;
}
