import { ByteCounts } from "../kernel/byte-counts.ts";
import { ENTRY_BYTES, KEYS, VALUES } from "../kernel/kernel.ts";
import { keyBytesOf, keyOf } from "../memory/entries.ts";
import { putTable } from "../memory/put-run.ts";
import { type Drain, RunFiles } from "../memory/run-files.ts";
import type { Workspace } from "../memory/workspace.ts";
import type { OfLines } from "./fuse-narrow.ts";
import { type FusedMap, type FusedResult, report } from "./fused-map.ts";
import { LineBlocks } from "./line-blocks.ts";
import { LineFinder } from "./line-finder.ts";
import type { LineRange } from "./line-range.ts";

/** The value where counts are not read: null. */
const NULL = 0x01;

export interface CountWords extends OfLines {
  /** Whether the counts are not read: pairs `[word, null]`. */
  readonly isDistinct: boolean;
}

/** Counts how often each word occurs: pairs `[word, count]`, as the fold `count` makes them. */
export function countWords(
  task: FusedMap,
  space: Workspace,
  range: LineRange,
  { isDistinct, where }: CountWords,
): FusedResult | undefined {
  const { partitions } = task;
  const files = new RunFiles({ ...task, space, ...(!isDistinct && { numbers: "count" }) });
  const base = space.take(1);
  space.memory.bytes[base] = NULL;
  const values = isDistinct ? VALUES.constant : VALUES.slot;
  const shape = { keys: KEYS.plain, values, base, stride: 1 };
  const blocks = new LineBlocks(space, range);
  const finder = where && new LineFinder(space, where);
  const counts = new ByteCounts(space.kernel, space.memory);
  const drain: Drain = (writer, order) => {
    putTable({ space, table: counts, partitions, order, shape, writer });
    counts.clear();
  };
  /** Returns false for a word that does not fit even into an empty table. */
  const tryAdd = (from: number, end: number): boolean => {
    for (let at = from; at < end; ) {
      const isFresh = counts.size === 0;
      const next = counts.addWords(at, end);
      if (isFresh && counts.size === 0 && next < end) return false;
      if (next < end) files.spill(drain);
      at = next;
    }
    return true;
  };
  const add = finder === undefined ? tryAdd : ofWanted(space, finder, tryAdd);
  let records = 0;
  for (let block = blocks.next(); block !== undefined; block = blocks.next()) {
    records += space.kernel.countLines(block.at, block.end);
    if (!add(block.at, block.end)) return undefined;
    report(task, { records, bytesRead: range.bytesRead, bytesWritten: files.bytesSpilled });
  }
  if (!blocks.isAtEnd) return undefined;
  const result = files.finish(drain, counts.size === 0);
  return { ...result, inputRecords: records, inputBytes: range.bytesRead };
}

/** Adds only the lines that match. */
function ofWanted(
  space: Workspace,
  finder: LineFinder,
  tryAdd: (from: number, end: number) => boolean,
): typeof tryAdd {
  return (at, end) => {
    let hasRoom = true;
    finder.each({ at, end }, (count) => {
      for (let i = 0; i < count && hasRoom; i++) {
        const entry = finder.entries + i * ENTRY_BYTES;
        const line = keyOf(space, entry);
        hasRoom = tryAdd(line, line + keyBytesOf(space, entry));
      }
    });
    return hasRoom;
  };
}
