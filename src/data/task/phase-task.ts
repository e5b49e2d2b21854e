import { defined } from "../../base/assert.ts";
import type { Params } from "../../job/index.ts";
import type { PhaseProgram, Program } from "../../job/program.ts";
import type { PartFile } from "../bytes/part-file.ts";
import type { BadRecordCount, OnBadRecord } from "../formats/malformed.ts";
import type { Split } from "../formats/split.ts";
import type { ProgressListener } from "./progress.ts";

/** What one attempt of any task is about. */
export interface PhaseTask {
  readonly program: Program;
  /** The phase's number in the program. */
  readonly phase: number;
  readonly params: Params;
  /** The task's index in its phase; of one that reads a shuffle, its partition. */
  readonly task: number;
  /** 0 for the task's first attempt. */
  readonly attempt: number;
  /** How many partitions the shuffle has that it writes; 0 if it writes none. */
  readonly partitions: number;
  /** The datasets that it needs as a whole. */
  readonly tables: readonly TableFiles[];
  /** This attempt's own directory, which exists: spills and copies come and go in it. */
  readonly directory: string;
  /** The file to write. */
  readonly to: string;
  /** What it may hold beside the user's own values; 64 MB unless told. */
  readonly memoryBytes?: number;
  /** Whether what is shuffled is deflated; not unless told: it costs more than a disk's writing. */
  readonly compress?: boolean;
  readonly progress?: ProgressListener;
  /** Whether a malformed record fails the attempt; it does unless told. */
  readonly onBadRecord?: OnBadRecord;
}

/** What a task reads that reads no shuffle: a split of the input, or a part of a dataset. */
export type NarrowSource =
  | { readonly kind: "split"; readonly split: Split }
  | { readonly kind: "part"; readonly path: string };

export interface NarrowTask extends PhaseTask {
  readonly source: NarrowSource;
}

/** A dataset's parts, in order. */
export interface TableFiles {
  readonly dataset: number;
  readonly files: readonly string[];
}

/** What an attempt leaves: a run file with a segment for each partition, or a part file. */
export type PhaseResult =
  | { readonly kind: "shuffle-output"; readonly output: ShuffleOutput }
  | { readonly kind: "part"; readonly part: PartFile };

/** Plain data. */
export interface ShuffleOutput {
  readonly path: string;
  readonly bytes: number;
  readonly records: number;
  /** Of the whole file. */
  readonly checksum: string;
  /** Bytes of each partition's segment. */
  readonly byPartition: readonly number[];
  readonly counters: Readonly<Record<string, number>>;
  readonly inputRecords: number;
  readonly inputBytes: number;
  /** Absent: none was passed over. */
  readonly badRecords?: BadRecordCount;
  /** Sorted runs that were written for want of memory and merged at the end. */
  readonly spills: number;
  /** Files that were merged of others, for want of memory, before the last merge. */
  readonly merges: number;
}

export const phaseOf = ({ program, phase }: PhaseTask): PhaseProgram =>
  defined(program.phases[phase], `phase ${phase}`);
