import { rmSync } from "node:fs";
import { join } from "node:path";
import { defined } from "../../base/assert.ts";
import type { Combine } from "../bytes/combine.ts";
import { RunReader } from "../bytes/run-reader.ts";
import { type RunWriter, type WrittenRun, writeRun } from "../bytes/run-writer.ts";
import { KEYS, VALUES } from "../kernel/kernel.ts";
import type { Entries } from "./entries.ts";
import { foldStream } from "./fold-stream.ts";
import { MergeCursor } from "./merge-cursor.ts";
import { MergeStream, type RunSource } from "./merge-stream.ts";
import type { NumberFoldKind } from "./number-fold.ts";
import { type PairShape, putAll } from "./put-run.ts";
import type { Workspace } from "./workspace.ts";

/** The most runs merged at once, however much memory there is. */
const RUNS_MAX = 256;

/** A sorted run: a file, or records of one partition in the workspace. */
export type SortedRun =
  | { readonly kind: "file"; readonly path: string }
  | { readonly kind: "memory"; readonly at: number; readonly end: number };

export interface RunMerge {
  readonly space: Workspace;
  /** The run with the earliest values comes first. */
  readonly from: readonly SortedRun[];
  readonly partitions: number;
  /** Undefined if values stay as they are. */
  readonly combine?: Combine;
  /** The fold that `combine` does, if the kernels know it. */
  readonly numbers?: NumberFoldKind;
  /** See `RunOptions`. */
  readonly compress?: boolean;
}

/** Merges runs into a file; deletes the runs that are files. */
export function mergeToFile(merge: RunMerge, to: string): WrittenRun {
  const run = withSources(merge.from, (sourcesOf) => {
    const folded = merge.numbers === undefined ? undefined : foldTo(merge, sourcesOf, to);
    return folded ?? writeRun(to, (writer) => mergeAll(merge, sourcesOf, writer), merge);
  });
  removeRuns(merge.from);
  return run;
}

type SourcesOf = (partition: number) => readonly RunSource[];

function mergeAll(merge: RunMerge, sourcesOf: SourcesOf, writer: RunWriter): void {
  const { space, partitions, combine } = merge;
  const mark = space.memory.used;
  for (let partition = 0; partition < partitions; partition++) {
    const stream = new MergeStream(space, sourcesOf(partition));
    if (combine === undefined) copyAll(space, stream, writer);
    else combine(new MergeCursor(space, stream), writer);
    writer.endPartition();
    space.memory.release(mark);
  }
}

/** Undefined if the kernels cannot do it; the merge must then be done again in another way. */
function foldTo(merge: RunMerge, sourcesOf: SourcesOf, to: string): WrittenRun | undefined {
  const { space, partitions, numbers: kind } = merge;
  const mark = space.memory.used;
  let isDone = kind !== undefined;
  const fill = (writer: RunWriter): void => {
    for (let partition = 0; partition < partitions; partition++) {
      if (isDone && kind !== undefined) {
        const stream = new MergeStream(space, sourcesOf(partition));
        const take = (entries: Entries, shape: PairShape): void =>
          putAll(space, entries, shape, writer);
        isDone = foldStream({ space, stream, kind, take });
        space.memory.release(mark);
      }
      writer.endPartition();
    }
  };
  const run = writeRun(to, fill, merge);
  return isDone ? run : undefined;
}

/** Opens the files, and closes them after `use`. */
export function withSources<T>(from: readonly SortedRun[], use: (sourcesOf: SourcesOf) => T): T {
  const readers = openAll(from.flatMap((run) => (run.kind === "file" ? [run.path] : [])));
  try {
    return use((partition) => {
      const opened = readers.values();
      return from.map((run) => {
        if (run.kind === "memory") return run;
        const reader = defined(opened.next().value, "an open file");
        const { blockBytesMax } = reader.segment(partition);
        const blocks = reader.blocksInto.bind(reader, partition);
        return { kind: "blocks", blocks, blockBytesMax };
      });
    });
  } finally {
    for (const reader of readers) reader.close();
  }
}

export function removeRuns(runs: readonly SortedRun[]): void {
  for (const run of runs) if (run.kind === "file") rmSync(run.path, { force: true });
}

/** Merges neighbouring runs until `bytesMax` have room for a window of each. */
export function mergeUntilFew(
  merge: RunMerge & {
    readonly directory: string;
    readonly bytesMax: number;
    /** Called after each merge. */
    merged?(run: WrittenRun): void;
  },
): readonly SortedRun[] {
  const { directory, bytesMax } = merge;
  let runs = merge.from;
  for (let pass = 0; ; pass++) {
    const groups = neighbours(runs, bytesMax);
    if (groups.length <= 1) return runs;
    runs = groups.map((from, i): SortedRun => {
      const [only, ...others] = from;
      if (only !== undefined && others.length === 0) return only;
      const path = join(directory, `merge-${pass}-${i}.run`);
      merge.merged?.(mergeToFile({ ...merge, from }, path));
      return { kind: "file", path };
    });
  }
}

/** As many neighbours as there is room for, at least two. */
function neighbours(
  runs: readonly SortedRun[],
  bytesMax: number,
): readonly (readonly SortedRun[])[] {
  const groups: SortedRun[][] = [];
  let group: SortedRun[] = [];
  let bytes = 0;
  for (const run of runs) {
    const more = windowBytes(run);
    if (group.length >= 2 && (bytes + more > bytesMax || group.length === RUNS_MAX)) {
      groups.push(group);
      group = [];
      bytes = 0;
    }
    group.push(run);
    bytes += more;
  }
  return group.length === 0 ? groups : [...groups, group];
}

/** The bytes that merging the run takes: for a file, one block. */
function windowBytes(run: SortedRun): number {
  if (run.kind === "memory") return 0;
  const reader = new RunReader(run.path);
  reader.close();
  return reader.segments.reduce((most, one) => Math.max(most, one.blockBytesMax), 0);
}

/** Opens all of them or none. */
function openAll(paths: readonly string[]): readonly RunReader[] {
  const readers: RunReader[] = [];
  try {
    for (const path of paths) readers.push(new RunReader(path));
    return readers;
  } catch (error) {
    for (const reader of readers) reader.close();
    throw error;
  }
}

function copyAll(space: Workspace, stream: MergeStream, writer: RunWriter): void {
  const shape = { keys: KEYS.record, values: VALUES.record, base: 0, stride: 0 };
  for (let entries = stream.next(); entries.count > 0; entries = stream.next()) {
    putAll(space, entries, shape, writer);
  }
}
