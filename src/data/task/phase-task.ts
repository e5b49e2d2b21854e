import { defined } from "../../base/assert.ts";
import type { Params } from "../../job/index.ts";
import type { PhaseProgram, Program } from "../../job/program.ts";
import type { PartFile } from "../bytes/part-file.ts";
import type { BadRecordCount, OnBadRecord } from "../formats/malformed.ts";
import type { Split } from "../formats/split.ts";
import type { ProgressListener } from "./progress.ts";

/** The assignment of one attempt of any task. */
export interface PhaseTask {
  readonly program: Program;
  /** The phase's number in the program. */
  readonly phase: number;
  readonly params: Params;
  /** The task's index in its phase; if the phase reads a shuffle, the partition. */
  readonly task: number;
  /** 0 for the task's first attempt. */
  readonly attempt: number;
  /** The partitions of the shuffle that the attempt writes; 0 if it writes none. */
  readonly partitions: number;
  /** The datasets that the attempt needs as a whole. */
  readonly tables: readonly TableFiles[];
  /** This attempt's own directory, which exists, for spills and copies. */
  readonly directory: string;
  /** The file to write. */
  readonly to: string;
  /** Bytes that it may hold besides the user's own values. Default: 64 MB. */
  readonly memoryBytes?: number;
  /**
   * Whether the shuffle is deflated. Default: false, since deflating costs more than writing to a
   * disk.
   */
  readonly compress?: boolean;
  readonly progress?: ProgressListener;
  /** Whether a malformed record fails the attempt. Default: `fail`. */
  readonly onBadRecord?: OnBadRecord;
}

/** The input of a task that reads no shuffle: a split of the input, or a part of a dataset. */
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

/** The result of an attempt: a run file with a segment for each partition, or a part file. */
export type PhaseResult =
  | { readonly kind: "shuffle-output"; readonly output: ShuffleOutput }
  | { readonly kind: "part"; readonly part: PartFile };

/** Plain data. */
export interface ShuffleOutput {
  readonly path: string;
  readonly bytes: number;
  readonly records: number;
  /** The checksum of the whole file. */
  readonly checksum: string;
  /** Bytes of each partition's segment. */
  readonly byPartition: readonly number[];
  readonly counters: Readonly<Record<string, number>>;
  readonly inputRecords: number;
  readonly inputBytes: number;
  /** Absent if no record was skipped. */
  readonly badRecords?: BadRecordCount;
  /** The number of sorted runs that were written for want of memory and merged at the end. */
  readonly spills: number;
  /** The number of intermediate files merged, for want of memory, before the last merge. */
  readonly merges: number;
}

export const phaseOf = ({ program, phase }: PhaseTask): PhaseProgram =>
  defined(program.phases[phase], `phase ${phase}`);
