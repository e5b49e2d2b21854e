import { ENTRY_BYTES } from "../kernel/kernel.ts";
import { type Drain, RunFiles } from "../memory/run-files.ts";
import type { Workspace } from "../memory/workspace.ts";
import { CellCounts } from "./cell-counts.ts";
import type { OfLines } from "./fuse-narrow.ts";
import { type FusedMap, type FusedResult, report } from "./fused-map.ts";
import { LineBlocks } from "./line-blocks.ts";
import { LineFinder } from "./line-finder.ts";
import type { LineRange } from "./line-range.ts";

/** After this many lines the fold checks whether a table is of use, as any fold does. */
const LOOKED_AT = 131_072;
const DIFFERENT_MAX = 0.7;

export interface CountLines extends OfLines {
  /** Whether the counts are not read: pairs `[line, null]`. */
  readonly isDistinct: boolean;
}

/** Undefined if the bytes are not fit for the kernels. */
export type CountedLines =
  | { readonly kind: "counted"; readonly result: FusedResult }
  /** Most lines differ: sorting them all is better. */
  | { readonly kind: "too-different" };

/** Counts how often each line occurs: pairs `[line, count]`, as the fold `count` makes them. */
export function countLines(
  task: FusedMap,
  space: Workspace,
  range: LineRange,
  { isDistinct, where }: CountLines,
): CountedLines | undefined {
  const { partitions } = task;
  const files = new RunFiles({ ...task, space, ...(!isDistinct && { numbers: "count" }) });
  const blocks = new LineBlocks(space, range);
  const finder = new LineFinder(space, where);
  const counts = new CellCounts(space, () => files.spill(drain), isDistinct);
  const drain: Drain = (writer, order) => {
    counts.drainTo(writer, partitions, order);
  };
  let records = 0;
  let lines = 0;
  let hasRoom = true;
  let isLookedAt = where !== undefined;
  for (let block = blocks.next(); block !== undefined; block = blocks.next()) {
    records += space.kernel.countLines(block.at, block.end);
    finder.each(block, (count) => {
      lines += count;
      copyCells(space, { lines: finder.entries, count, cells: counts.cells });
      hasRoom &&= counts.tryAdd(count);
    });
    if (!hasRoom) return undefined;
    if (!isLookedAt && lines >= LOOKED_AT) {
      isLookedAt = true;
      if (counts.pairs > DIFFERENT_MAX * lines) return { kind: "too-different" };
    }
    report(task, { records, bytesRead: range.bytesRead, bytesWritten: files.bytesSpilled });
  }
  if (!blocks.isAtEnd) return undefined;
  const result = files.finish(drain, counts.size === 0);
  const read = { inputRecords: records, inputBytes: range.bytesRead };
  return { kind: "counted", result: { ...result, ...read } };
}

/** The word of an entry at which its key's place and bytes begin. */
const KEY = 2;
const ENTRY_WORDS = ENTRY_BYTES / 4;

function copyCells(
  { memory }: Workspace,
  query: { readonly lines: number; readonly count: number; readonly cells: Uint32Array },
): void {
  const { lines, count, cells } = query;
  const entries = new Uint32Array(memory.bytes.buffer, lines, count * ENTRY_WORDS);
  for (let i = 0; i < count; i++) {
    cells[2 * i] = entries[i * ENTRY_WORDS + KEY] ?? 0;
    cells[2 * i + 1] = entries[i * ENTRY_WORDS + KEY + 1] ?? 0;
  }
}
