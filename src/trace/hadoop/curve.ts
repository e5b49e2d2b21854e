import { CURVE_POINTS } from "../../history/columns.ts";

/**
 * When each twelfth of the progress was reached, in ms after the attempt's start. `share`: how much
 * of its work the attempt did, 0 to 1, or undefined if that is unknown.
 *
 * When an attempt ends, Hadoop fills the splits up to the twelfth evenly. The splits of an attempt
 * that did not succeed are real up to the share that it had read, and up to the split before the
 * even ones.
 */
export function curveOf(
  clockSplits: readonly number[] | undefined,
  durationMs: number,
  share: number | undefined,
): readonly number[] | undefined {
  if (clockSplits?.length !== CURVE_POINTS || share === undefined) return undefined;
  const done = Math.floor(Math.min(share, 1) * CURVE_POINTS);
  const real = share >= 1 ? CURVE_POINTS : Math.min(done, CURVE_POINTS - evenTail(clockSplits) - 1);
  if (real <= 0 || clockSplits.some((ms) => ms < 0)) return undefined;
  const total = clockSplits.reduce((sum, ms) => sum + ms, 0);
  if (total === 0) return undefined;
  // Some versions count from the task's assignment: both clocks end at the same time.
  let at = -Math.max(0, total - durationMs);
  return clockSplits.map((ms, index) => {
    at += ms;
    return index < real ? Math.max(at, 0) : Number.NaN;
  });
}

/** How many of the last splits are equal, apart from rounding. */
function evenTail(clockSplits: readonly number[]): number {
  const last = clockSplits.at(-1) ?? 0;
  const other = clockSplits.findLastIndex((ms) => Math.abs(ms - last) > 1);
  return clockSplits.length - 1 - other;
}
