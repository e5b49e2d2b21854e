import type { Fold } from "../../job/index.ts";
import { tooLarge } from "../memory/workspace.ts";
import type { Cursor } from "./cursor.ts";
import type { KeyGroups } from "./groups.ts";
import type { RunWriter } from "./run-writer.ts";

/**
 * Writes a sorted stream to the writer's current partition, with fewer values per key where the job
 * allows it.
 */
export type Combine = (records: Cursor, writer: RunWriter) => void;

/** Merges the current key's accumulators into one. */
export function mergeAll(fold: Fold<unknown, unknown, unknown>, groups: KeyGroups): unknown {
  let so = groups.takeValue();
  while (groups.hasValue) so = fold.merge(so, groups.takeValue());
  return so;
}

/**
 * Merges the current key's accumulators for a fold that keeps all values. Throws an InputError for
 * an accumulator larger than `bytesMax` before reading the rest: JavaScript values take several
 * times as much memory as their bytes.
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

/** The most bytes of an accumulator's kind and length: two merged accumulators need them once. */
const WRAPPING_BYTES = 8;
