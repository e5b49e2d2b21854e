import type { RunWriter } from "../bytes/run-writer.ts";
import { ENTRY_BYTES, KEYS, VALUES } from "../kernel/kernel.ts";
import { type Entries, sorted } from "../memory/entries.ts";
import { type PairShape, putAll, putPartitions } from "../memory/put-run.ts";
import { RunFiles } from "../memory/run-files.ts";
import type { Workspace } from "../memory/workspace.ts";
import { type FusedMap, type FusedResult, report } from "./fused-map.ts";
import { type HeldLines, LineArena } from "./line-arena.ts";
import { LineBins } from "./line-bins.ts";
import type { LineRange } from "./line-range.ts";

const VALUE_BYTES_MAX = 256;

export interface SortLines {
  /** The bytes of the value that every pair has. */
  readonly value: Uint8Array;
  /**
   * Rising texts that cut the keys into about `shares` equal shares, or fewer; for as many shares
   * as partitions, they are where the partitions begin. Undefined: partitions go by the keys' hash.
   */
  splittersFor?(shares: number): readonly Uint8Array[];
}

/** Lines that are held until they are written as one run. */
interface Lines {
  /** See `LineArena` and `LineBins`. */
  fill(): HeldLines | undefined;
  write(held: HeldLines, writer: RunWriter): void;
}

/** Sorts lines: each line is a key, and all have one value. */
export function sortLines(
  task: FusedMap,
  space: Workspace,
  range: LineRange,
  { value, splittersFor }: SortLines,
): FusedResult | undefined {
  if (value.length > VALUE_BYTES_MAX) return undefined;
  const { partitions } = task;
  const files = new RunFiles({ ...task, space });
  const base = space.take(value.length);
  space.memory.bytes.set(value, base);
  const shape: PairShape = {
    keys: KEYS.plain,
    values: VALUES.constant,
    base,
    stride: value.length,
  };
  const to = { space, range, partitions, shape };
  const lines = splittersFor === undefined ? byHash(to) : byRange(to, splittersFor);
  for (let records = 0; ; ) {
    const held = lines.fill();
    if (held === undefined) return undefined;
    records += held.lines;
    report(task, { records, bytesRead: range.bytesRead, bytesWritten: files.bytesSpilled });
    const drain = (writer: RunWriter): void => {
      const mark = space.memory.used;
      lines.write(held, writer);
      space.memory.release(mark);
    };
    if (held.isLast) {
      const result = files.finish(drain, held.lines === 0);
      return { ...result, inputRecords: records, inputBytes: range.bytesRead };
    }
    files.spill(drain);
  }
}

interface To {
  readonly space: Workspace;
  readonly range: LineRange;
  readonly partitions: number;
  readonly shape: PairShape;
}

function byHash({ space, range, partitions, shape }: To): Lines {
  const lines = new LineArena(space, range);
  return {
    fill: () => lines.fill(),
    write(held, writer) {
      const entries = lines.entries(held);
      if (partitions > 1) space.kernel.partitionStrings(entries.at, entries.count, partitions);
      putPartitions({ space, entries: sorted(space, entries), partitions, shape, writer });
    },
  };
}

function byRange(
  { space, range, partitions, shape }: To,
  splittersFor: (shares: number) => readonly Uint8Array[],
): Lines {
  const splitters = takeSplitters(space, splittersFor(partitions));
  const bins = new LineBins(space, range, splittersFor);
  return {
    fill: () => bins.fill(),
    write(_held, writer) {
      let partition = 0;
      for (const entries of bins.entries()) {
        const ranges = rangesOf(space, sorted(space, entries), splitters);
        for (const [of, some] of ranges.entries()) {
          if (some.count === 0) continue;
          for (; partition < of; partition++) writer.endPartition();
          putAll(space, some, shape, writer);
        }
      }
      // The last partitions are empty if there are too few splitters for all.
      for (; partition < partitions; partition++) writer.endPartition();
    },
  };
}

/** Keys that separate partitions, in the kernels' memory. */
interface Splitters {
  readonly places: readonly { readonly at: number; readonly bytes: number }[];
}

/**
 * `keys` are rising; keys below the first are of partition 0, and a splitter begins its partition.
 */
function takeSplitters(space: Workspace, keys: readonly Uint8Array[]): Splitters {
  return {
    places: keys.map((key) => {
      const at = space.take(key.length);
      space.memory.bytes.set(key, at);
      return { at, bytes: key.length };
    }),
  };
}

/** The ranges of sorted entries that belong to each partition. */
function rangesOf(
  { kernel }: Workspace,
  { at, count }: Entries,
  { places }: Splitters,
): readonly Entries[] {
  const bounds = places.map((key) => kernel.lowerBound(at, count, key.at, key.bytes));
  return [0, ...bounds].map((from, i) => ({
    at: at + from * ENTRY_BYTES,
    count: (bounds[i] ?? count) - from,
  }));
}
