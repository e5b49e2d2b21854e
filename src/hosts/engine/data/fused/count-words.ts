import { ByteCounts } from "../../../../kernel/byte-counts.ts";
import { KEYS, VALUES } from "../../../../kernel/kernel.ts";
import { putPartitions } from "../memory/put-run.ts";
import { RunFiles } from "../memory/run-files.ts";
import type { Workspace } from "../memory/workspace.ts";
import type { RunWriter } from "../run-writer.ts";
import { type FusedMap, type FusedResult, report } from "./fused-map.ts";
import { LineBlocks } from "./line-blocks.ts";
import type { LineRange } from "./line-range.ts";

/** Another one in each thread, so that nobody can prepare words that all meet in one slot. */
const SEED = Math.trunc(Math.random() * 2 ** 32);

/** What a value is that nobody looks at: null. */
const NULL = 0x01;

/**
 * How often each word occurs: pairs `[word, count]`, as the fold `count` has them. `isDistinct`:
 * pairs `[word, null]`, as if nobody looked at their values.
 */
export function countWords(
  task: FusedMap,
  space: Workspace,
  range: LineRange,
  isDistinct = false,
): FusedResult | undefined {
  const { partitions } = task;
  const files = new RunFiles({ ...task, space, ...(!isDistinct && { numbers: "count" }) });
  const base = space.take(1);
  space.memory.bytes[base] = NULL;
  const values = isDistinct ? VALUES.constant : VALUES.slot;
  const shape = { keys: KEYS.plain, values, base, stride: 1 };
  const blocks = new LineBlocks(space, range);
  const counts = new ByteCounts(space.kernel, space.memory, SEED);
  const drain = (writer: RunWriter): void => {
    const entries = counts.sorted(partitions > 1 ? partitions : undefined);
    putPartitions({ space, entries, partitions, shape, writer });
    counts.clear();
  };
  let records = 0;
  for (let block = blocks.next(); block !== undefined; block = blocks.next()) {
    records += space.kernel.countLines(block.at, block.end);
    for (let at = block.at; at < block.end; ) {
      const isFresh = counts.size === 0;
      const next = counts.addWords(at, block.end);
      // A word that an empty table has no room for.
      if (isFresh && counts.size === 0 && next < block.end) return undefined;
      if (next < block.end) files.spill(drain);
      at = next;
    }
    report(task, { records, bytesRead: range.bytesRead, bytesWritten: files.bytesSpilled });
  }
  if (!blocks.isAtEnd) return undefined;
  const result = files.finish(drain, counts.size === 0);
  return { ...result, inputRecords: records, inputBytes: range.bytesRead };
}
