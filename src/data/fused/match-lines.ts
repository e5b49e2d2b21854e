import { KEYS, VALUES } from "../kernel/kernel.ts";
import { type LineSink, putLines } from "../memory/put-lines.ts";
import type { Workspace } from "../memory/workspace.ts";
import { type LineBlock, LineBlocks } from "./line-blocks.ts";
import type { LineFilter } from "./line-filter.ts";
import { LineFinder } from "./line-finder.ts";
import type { LineRange } from "./line-range.ts";

/** Called after each block. */
export type Moved = (records: number) => void;

/** The number of lines, and of matching lines. */
export interface Matched {
  readonly records: number;
  readonly matches: number;
}

/** Undefined if the bytes are not fit for the kernels. */
export function countMatching(
  space: Workspace,
  range: LineRange,
  where: LineFilter | undefined,
  moved: Moved,
): Matched | undefined {
  const finder = new LineFinder(space, where);
  return eachBlock(space, range, moved, (block) => finder.count(block));
}

/** Writes the matching lines. */
export function writeMatching(
  space: Workspace,
  range: LineRange,
  where: LineFilter | undefined,
  sink: LineSink & { moved: Moved },
): Matched | undefined {
  const finder = new LineFinder(space, where);
  const shape = { keys: KEYS.plain, values: VALUES.none, base: 0, stride: 0 };
  const query = { space, shape, sink, recordOf: (line: unknown) => line };
  return eachBlock(space, range, sink.moved, (block) => {
    let matches = 0;
    finder.each(block, (count) => {
      putLines(query, { at: finder.entries, count });
      matches += count;
    });
    return matches;
  });
}

function eachBlock(
  space: Workspace,
  range: LineRange,
  moved: Moved,
  take: (block: LineBlock) => number,
): Matched | undefined {
  const blocks = new LineBlocks(space, range, { mustBeUtf8: false });
  let records = 0;
  let matches = 0;
  for (let block = blocks.next(); block !== undefined; block = blocks.next()) {
    matches += take(block);
    records += space.kernel.countLines(block.at, block.end);
    moved(records);
  }
  return blocks.isAtEnd ? { records, matches } : undefined;
}
