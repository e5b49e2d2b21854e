import { cell } from "../../base/rows.ts";
import type { Surface } from "../canvas.tsx";
import { lookOf } from "../classes.ts";
import type { Run } from "../run.ts";
import type { Inks } from "../theme.ts";
import { bottomAxis, type Frame, leftAxis } from "./axes.ts";

const BINS = 36;
const MOST = 6;

/** A histogram of durations over their expected time, on a square-root scale. */
export function drawTimes(
  surface: Surface,
  run: Run,
  {
    of,
    inks,
    frame,
  }: { readonly of: readonly number[]; readonly inks: Inks; readonly frame: Frame },
): void {
  const { context } = surface;
  const bins = Array.from({ length: BINS + 1 }, () => new Map<number, number>());
  for (const i of of) {
    const times = run.timesOf(i);
    if (Number.isNaN(times)) continue;
    const bin = bins[Math.min(BINS, Math.floor((times / MOST) * BINS))];
    const shows = run.shown(i);
    bin?.set(shows, (bin.get(shows) ?? 0) + 1);
  }
  const totals = bins.map((bin) => [...bin.values()].reduce((sum, one) => sum + one, 0));
  const most = Math.max(1, ...totals);
  const place = (share: number): number => Math.sqrt(share);
  // No marks between whole attempts.
  leftAxis(surface, frame, { to: most, per: 1, unit: "attempts", most, place }, inks);
  const width = (frame.right - frame.left) / (BINS + 2);
  const axis = { ...frame, right: frame.left + BINS * width };
  bottomAxis(surface, axis, { from: 0, to: MOST, per: 1, unit: "times the expected time" }, inks);
  for (const [n, bin] of bins.entries()) {
    const total = cell(totals[n]);
    const high = place(total / most) * (frame.bottom - frame.top);
    let y = frame.bottom;
    const x = frame.left + (n === BINS ? BINS + 0.5 : n) * width;
    for (const [shows, count] of [...bin].sort(([a], [b]) => a - b)) {
      const part = (count / total) * high;
      const { color, isHatched } = lookOf(shows);
      context.fillStyle = color;
      context.globalAlpha = isHatched ? 0.5 : 1;
      context.fillRect(x, y - part, Math.max(1, width - 1), part);
      y -= part;
    }
  }
  context.globalAlpha = 1;
  const x = frame.left + (run.lateAbove / MOST) * BINS * width;
  context.strokeStyle = inks.late;
  context.setLineDash([5, 4]);
  context.beginPath();
  context.moveTo(x, frame.top);
  context.lineTo(x, frame.bottom);
  context.stroke();
  context.setLineDash([]);
  context.textAlign = "left";
  context.textBaseline = "top";
  const text = `late from ×${Number(run.lateAbove.toPrecision(3))}`;
  context.fillStyle = `${inks.paper}d0`;
  context.fillRect(x + 3, frame.top - 1, context.measureText(text).width + 4, 13);
  context.fillStyle = inks.late;
  context.fillText(text, x + 5, frame.top);
  context.fillStyle = inks.faint;
  context.textAlign = "right";
  if (cell(totals[BINS]) > 0) context.fillText(`≥ ×${MOST}`, frame.right, frame.top + 14);
}
