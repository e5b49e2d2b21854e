import { ENTRY_BYTES, KEYS, VALUES } from "../../../../kernel/kernel.ts";
import { Literal } from "../../../../kernel/literal.ts";
import type { LineSink } from "../memory/put-lines.ts";
import { putLines } from "../memory/put-lines.ts";
import type { Workspace } from "../memory/workspace.ts";
import { LineBlocks } from "./line-blocks.ts";
import type { LineRange } from "./line-range.ts";

/** Lines found at once. */
const ROOM = 4096;

/** What is told after each block. */
export type Moved = (records: number) => void;

/** How many lines there are, and how many of them hold the literal. */
export interface Matched {
  readonly records: number;
  readonly matches: number;
}

/** Undefined: the bytes are not as kernels want them. */
export function countMatching(
  space: Workspace,
  range: LineRange,
  text: string,
  moved: Moved,
): Matched | undefined {
  const literal = new Literal(space.kernel, space.memory, Buffer.from(text));
  return eachBlock(space, range, moved, (at, end) => literal.countLines(at, end, space.result));
}

/** Writes the lines that hold the literal. */
export function writeMatching(
  space: Workspace,
  range: LineRange,
  text: string,
  sink: LineSink & { moved: Moved },
): Matched | undefined {
  const literal = new Literal(space.kernel, space.memory, Buffer.from(text));
  const into = space.take(ROOM * ENTRY_BYTES);
  const shape = { keys: KEYS.plain, values: VALUES.none, base: 0, stride: 0 };
  const query = { space, shape, sink, recordOf: (line: unknown) => line };
  return eachBlock(space, range, sink.moved, (at, end) => {
    let matches = 0;
    for (let from = at; from < end; ) {
      const count = literal.lineEntries(from, end, into, ROOM, space.result);
      from = space.reached;
      putLines(query, { at: into, count });
      matches += count;
    }
    return matches;
  });
}

function eachBlock(
  space: Workspace,
  range: LineRange,
  moved: Moved,
  take: (at: number, end: number) => number,
): Matched | undefined {
  const blocks = new LineBlocks(space, range, { mustBeUtf8: false });
  let records = 0;
  let matches = 0;
  for (let block = blocks.next(); block !== undefined; block = blocks.next()) {
    matches += take(block.at, block.end);
    records += space.kernel.countLines(block.at, block.end);
    moved(records);
  }
  return blocks.isAtEnd ? { records, matches } : undefined;
}
