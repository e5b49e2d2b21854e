import type { Fold } from "../../job/index.ts";
import { tooLarge } from "../memory/workspace.ts";
import type { Cursor } from "./cursor.ts";
import type { KeyGroups } from "./groups.ts";
import type { RunWriter } from "./run-writer.ts";

/**
 * Writes a sorted stream to the partition at hand, with fewer values for a key where the job allows
 * it.
 */
export type Combine = (records: Cursor, writer: RunWriter) => void;

/** The current key's accumulators as one. */
export function mergeAll(fold: Fold<unknown, unknown, unknown>, groups: KeyGroups): unknown {
  let so = groups.takeValue();
  while (groups.hasValue) so = fold.merge(so, groups.takeValue());
  return so;
}

/**
 * The same for a fold that keeps all. InputError for an accumulator larger than `bytesMax`, before
 * the rest is read: JavaScript values take several times as much memory as their bytes.
 */
export function mergeWithin(
  fold: Fold<unknown, unknown, unknown>,
  groups: KeyGroups,
  bytesMax: number,
): unknown {
  let bytes = groups.valueBytes;
  let so = groups.takeValue();
  while (groups.hasValue) {
    bytes += groups.valueBytes - WRAPPING_BYTES;
    if (bytes > bytesMax) throw tooLarge(bytes, bytesMax);
    so = fold.merge(so, groups.takeValue());
  }
  return so;
}

/** The kind and the length of an accumulator, at most: two that are merged need them once. */
const WRAPPING_BYTES = 8;
