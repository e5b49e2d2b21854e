import { KEYS, VALUES } from "../../../../kernel/kernel.ts";
import { type Entries, NO_ENTRIES, sorted } from "../memory/entries.ts";
import { putAll, putPartitions, type Shape } from "../memory/put-run.ts";
import { RunFiles } from "../memory/run-files.ts";
import type { Workspace } from "../memory/workspace.ts";
import type { RunWriter } from "../run-writer.ts";
import { type FusedMap, type FusedResult, report } from "./fused-map.ts";
import { LineArena } from "./line-arena.ts";
import type { LineRange } from "./line-range.ts";
import { rangesOf, takeSplitters } from "./splitters.ts";

const VALUE_BYTES_MAX = 256;

export interface SortLines {
  /** The bytes of every pair's value. */
  readonly value: Uint8Array;
  /** What parts the keys, as the bytes of texts, rising; undefined: their hash does. */
  readonly splitters?: readonly Uint8Array[];
}

/** Each line is a key, and all have one value. */
export function sortLines(
  task: FusedMap,
  space: Workspace,
  range: LineRange,
  { value, splitters }: SortLines,
): FusedResult | undefined {
  if (value.length > VALUE_BYTES_MAX) return undefined;
  const { partitions } = task;
  const files = new RunFiles({ ...task, space });
  const base = space.take(value.length);
  space.memory.bytes.set(value, base);
  const shape: Shape = { keys: KEYS.plain, values: VALUES.constant, base, stride: value.length };
  const parted = splitters && takeSplitters(space, splitters);
  const lines = new LineArena(space, range);
  for (let records = 0; ; ) {
    const held = lines.fill();
    if (held === undefined) return undefined;
    records += held.lines;
    report(task, { records, bytesRead: range.bytesRead, bytesWritten: files.bytesSpilled });
    const drain = (writer: RunWriter): void => {
      const mark = space.memory.used;
      const entries = lines.entries(held);
      if (parted === undefined) {
        putHashed({ space, entries, partitions, shape, writer });
      } else {
        const ranges = rangesOf(space, sorted(space, entries), parted);
        for (let partition = 0; partition < partitions; partition++) {
          // There may be fewer splitters than would part all partitions.
          putAll(space, ranges[partition] ?? NO_ENTRIES, shape, writer);
          writer.endPartition();
        }
      }
      space.memory.release(mark);
    };
    if (held.isLast) {
      const result = files.finish(drain, held.lines === 0);
      return { ...result, inputRecords: records, inputBytes: range.bytesRead };
    }
    files.spill(drain);
  }
}

function putHashed(query: {
  readonly space: Workspace;
  readonly entries: Entries;
  readonly partitions: number;
  readonly shape: Shape;
  readonly writer: RunWriter;
}): void {
  const { space, entries, partitions } = query;
  if (partitions > 1) space.kernel.partitionStrings(entries.at, entries.count, partitions);
  putPartitions({ ...query, entries: sorted(space, entries) });
}
