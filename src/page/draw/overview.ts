import { cell } from "../../base/rows.ts";
import type { Surface } from "../canvas.tsx";
import { CLASSES, LOOKS, lookOf, NOTHING } from "../classes.ts";
import type { Window } from "../raster.ts";
import type { Run } from "../run.ts";
import type { Inks } from "../theme.ts";

/** Busy slots by class, as shares of a bin: `bins` values for each class. */
export function slotsAtWork(run: Run, bins: number, until: number): Float64Array {
  const work = new Float64Array(bins * CLASSES);
  const { startedAt, endedAt, shows } = run.rows.bars;
  const per = until / bins;
  for (let i = 0; i < shows.length; i++) {
    const of = (shows[i] ?? NOTHING) * bins;
    const from = cell(startedAt[i]) / per;
    const to = cell(endedAt[i]) / per;
    for (let bin = Math.max(0, Math.floor(from)); bin < Math.min(bins, to); bin++) {
      const share = Math.min(to, bin + 1) - Math.max(from, bin);
      work[of + bin] = cell(work[of + bin]) + share;
    }
  }
  return work;
}

/** One bar per pixel, by kind, the wasted on top; the window is drawn over the bars. */
export function drawOverview(
  { context, width, height }: Surface,
  work: Float64Array,
  { most, window, whole, inks }: { most: number; window: Window; whole: Window; inks: Inks },
): void {
  const bins = work.length / CLASSES;
  const each = width / bins;
  for (let bin = 0; bin < bins; bin++) {
    let y = height;
    for (const shows of STACK) {
      const high = (cell(work[shows * bins + bin]) / most) * (height - 3);
      if (high <= 0) continue;
      const { color, isHatched } = lookOf(shows);
      context.fillStyle = color;
      context.globalAlpha = isHatched ? 0.55 : 1;
      const x = Math.round(bin * each);
      context.fillRect(x, y - high, Math.round((bin + 1) * each) - x, high);
      y -= high;
    }
  }
  context.globalAlpha = 1;
  const x0 = (window.from / whole.to) * width;
  const x1 = (window.to / whole.to) * width;
  context.fillStyle = `${inks.paper}b0`;
  context.fillRect(0, 0, x0, height);
  context.fillRect(x1, 0, width - x1, height);
  context.strokeStyle = x1 - x0 < width - 1 ? inks.accent : inks.line;
  context.lineWidth = 2;
  context.strokeRect(x0 + 1, 1, Math.max(2, x1 - x0 - 2), height - 2);
  context.lineWidth = 1;
}

/** Successes lie below, wasted time on top. */
const STACK: readonly number[] = LOOKS.map((_, shows) => shows)
  .filter((shows) => shows !== NOTHING)
  .sort((a, b) => Number(lookOf(a).isHatched) - Number(lookOf(b).isHatched) || a - b);
