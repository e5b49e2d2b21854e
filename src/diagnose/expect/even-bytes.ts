import { cell } from "../../base/rows.ts";
import { medianOf } from "./robust.ts";

/** What the tasks of a phase would read if none read more than like tasks do. */
export interface EvenBytes {
  /** Tasks that read more than this read too much. */
  readonly bytes: number;
  /** The part of the room below it that is filled with what the others read too much. */
  readonly filled: number;
}

/** So near to the largest input, a task is as large. */
const AS_LARGE = 0.98;
/** So many make the largest an ordinary one; fewer do if the median is not much smaller. */
const FULL_SHARE = 0.25;
const FULL_SHARE_OF_EVEN = 0.1;
const EVEN_MEDIAN = 1 / 3;
const FULL_MIN = 5;

/**
 * The work is moved, not lost: tasks that read too much give to those with room. The yardstick is
 * the mean, but at least the median: where most read a full split, the mean is that of the ends of
 * files. Where many read as much as the largest, it is a full split, and nobody reads too much.
 */
export function evenBytesOf(known: Float64Array): EvenBytes {
  if (known.length === 0) return { bytes: Number.NaN, filled: 0 };
  const largest = known.reduce((a, b) => Math.max(a, b));
  const full = known.filter((value) => value >= AS_LARGE * largest).length;
  const mean = known.reduce((sum, value) => sum + value, 0) / known.length;
  const median = medianOf(known);
  const share = median >= EVEN_MEDIAN * largest ? FULL_SHARE_OF_EVEN : FULL_SHARE;
  const isFull = full >= Math.max(FULL_MIN, share * known.length);
  const bytes = isFull ? largest : Math.max(mean, median);
  let [above, below] = [0, 0];
  for (let i = 0; i < known.length; i++) {
    const off = cell(known[i]) - bytes;
    if (off > 0) above += off;
    else below -= off;
  }
  return { bytes, filled: below > 0 ? Math.min(1, above / below) : 0 };
}

/** What the task would read then. */
export const evened = ({ bytes, filled }: EvenBytes, own: number): number =>
  own >= bytes ? bytes : own + filled * (bytes - own);
