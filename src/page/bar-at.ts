import { firstIn, type Size, type Window } from "./raster.ts";
import type { Run } from "./run.ts";

/** The bar at a place; within two pixels the graver wins. -1 if there is none. */
export function barAt(run: Run, window: Window, size: Size, x: number, y: number): number {
  const row = Math.floor(window.top + (y / size.height) * (window.bottom - window.top));
  if (row < 0 || row >= run.head.rows.length) return -1;
  const perMs = size.width / (window.to - window.from);
  const at = window.from + x / perMs;
  const near = 2 / perMs;
  let found = -1;
  const end = run.bars.first[row + 1] ?? 0;
  for (let i = firstIn(run.bars, row, at - near); i < end; i++) {
    if ((run.bars.startedAt[i] ?? 0) > at + near) break;
    if (found < 0 || (run.bars.shows[i] ?? 0) > (run.bars.shows[found] ?? 0)) found = i;
  }
  return found;
}
