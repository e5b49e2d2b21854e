import { rmSync } from "node:fs";
import { join } from "node:path";
import type { Combine } from "./combine.ts";
import { merged } from "./merge.ts";
import { RunReader } from "./run-reader.ts";
import { type WrittenRun, writeRun } from "./run-writer.ts";

/** Most run files read at once: each takes a file handle and a block of memory. */
export const FAN_IN = 64;

export interface RunMerge {
  /** Run files, the earliest values first. */
  readonly from: readonly string[];
  readonly to: string;
  readonly partitions: number;
  readonly combine: Combine;
}

/** Merges run files into one; they are gone afterwards. */
export function mergeRuns({ from, to, partitions, combine }: RunMerge): WrittenRun {
  const readers = openAll(from);
  try {
    return writeRun(to, (writer) => {
      for (let partition = 0; partition < partitions; partition++) {
        combine(merged(readers.map((reader) => reader.cursor(partition))), writer);
        writer.endPartition();
      }
    });
  } finally {
    for (const reader of readers) reader.close();
    for (const path of from) rmSync(path, { force: true });
  }
}

/** Opens them all or none. */
export function openAll(paths: readonly string[]): readonly RunReader[] {
  const readers: RunReader[] = [];
  try {
    for (const path of paths) readers.push(new RunReader(path));
    return readers;
  } catch (error) {
    for (const reader of readers) reader.close();
    throw error;
  }
}

export interface Narrowing extends Omit<RunMerge, "to"> {
  readonly directory: string;
  /** Called after each merge. */
  merged?(run: WrittenRun): void;
}

/** Merges neighbours until there are few enough to be read at once; keeps their order. */
export function mergeUntilFew({ from, directory, merged, ...merge }: Narrowing): readonly string[] {
  let paths = from;
  for (let pass = 0; paths.length > FAN_IN; pass++) {
    const next: string[] = [];
    for (let i = 0; i < paths.length; i += FAN_IN) {
      const to = join(directory, `merge-${pass}-${next.length}.run`);
      const run = mergeRuns({ ...merge, from: paths.slice(i, i + FAN_IN), to });
      merged?.(run);
      next.push(to);
    }
    paths = next;
  }
  return paths;
}
