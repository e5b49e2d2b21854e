import type { Fold } from "../../../job/index.ts";
import type { Cursor } from "./cursor.ts";
import type { Groups } from "./groups.ts";
import type { RunWriter } from "./run-writer.ts";

/**
 * Writes a sorted stream to the partition at hand, with fewer values for a key where the job allows
 * it.
 */
export type Combine = (records: Cursor, writer: RunWriter) => void;

/** The current key's accumulators as one. */
export function mergeAll(fold: Fold<unknown, unknown, unknown>, groups: Groups): unknown {
  let so = groups.takeValue();
  while (groups.hasValue) so = fold.merge(so, groups.takeValue());
  return so;
}
