import { CURVE_POINTS } from "../columns.ts";

/**
 * When each twelfth of the progress was reached, in ms after the attempt's start. `share`: how much
 * of its work the attempt did, 0 to 1, or undefined if that is unknown.
 *
 * At an attempt's end Hadoop fills the splits up to the twelfth one, evenly. Those of an attempt
 * that did not succeed are real only as far as it had read.
 */
export function curveOf(
  clockSplits: readonly number[] | undefined,
  durationMs: number,
  share: number | undefined,
): readonly number[] | undefined {
  if (clockSplits?.length !== CURVE_POINTS || share === undefined) return undefined;
  const whole = Math.floor(Math.min(share, 1) * CURVE_POINTS);
  if (whole === 0 || clockSplits.some((ms) => ms < 0)) return undefined;
  const total = clockSplits.reduce((sum, ms) => sum + ms, 0);
  if (total === 0) return undefined;
  // Some versions count from the assignment of the task on: the end of both clocks is the same.
  let at = -Math.max(0, total - durationMs);
  return clockSplits.map((ms, index) => {
    at += ms;
    return index < whole ? Math.max(at, 0) : Number.NaN;
  });
}
