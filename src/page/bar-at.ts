import { firstIn, type Size, type Window } from "./raster.ts";
import type { Run } from "./run.ts";

/** The bar at a place; within two pixels the graver wins. -1 if there is none. */
export function barAt(run: Run, window: Window, size: Size, x: number, y: number): number {
  const row = Math.floor(window.top + (y / size.height) * (window.bottom - window.top));
  if (row < 0 || row >= run.rows.count) return -1;
  const perMs = size.width / (window.to - window.from);
  const at = window.from + x / perMs;
  const near = 2 / perMs;
  let found = -1;
  const { bars, attemptAt } = run.rows;
  const end = bars.first[row + 1] ?? 0;
  for (let n = firstIn(bars, row, at - near); n < end; n++) {
    if ((bars.startedAt[n] ?? 0) > at + near) break;
    if (found < 0 || (bars.shows[n] ?? 0) > (bars.shows[found] ?? 0)) found = n;
  }
  return attemptAt[found] ?? -1;
}
