import { cell } from "../../base/rows.ts";
import { CURVE_POINTS } from "../../history/columns.ts";
import type { Surface } from "../canvas.tsx";
import { lookOf } from "../classes.ts";
import type { Run } from "../run.ts";
import type { Inks } from "../theme.ts";
import { bottomAxis, type Frame, leftAxis } from "./axes.ts";

/** Maximum number of lines: late, copied or killed attempts; a sample of the others. */
const OUT_MAX = 400;
const USUAL_MAX = 4_000;

export interface ProgressOptions {
  readonly of: readonly number[];
  readonly selected: readonly number[];
  /** Attempts are drawn up to their progress at this moment. */
  readonly at: number;
  /** Below this rate an attempt was slow at the moment; NaN if no moment is chosen. */
  readonly slowPerMs: number;
  readonly inks: Inks;
  readonly frame: Frame;
}

/** Score over time since the attempt's start: steep is fast. */
export function drawProgress(
  surface: Surface,
  run: Run,
  { of, selected, at, slowPerMs, inks, frame }: ProgressOptions,
): void {
  const { context } = surface;
  const longest = Math.max(1, ...sample(of, USUAL_MAX).map((i) => run.tookMs(i)));
  bottomAxis(
    surface,
    frame,
    { from: 0, to: longest, per: 1_000, unit: "seconds since its start" },
    inks,
  );
  leftAxis(surface, frame, { to: 1, per: 1, unit: "score" }, inks);
  const x = (ms: number): number => frame.left + (ms / longest) * (frame.right - frame.left);
  const y = (score: number): number => frame.bottom - score * (frame.bottom - frame.top);
  const isOut = (i: number): boolean =>
    run.isLate(i) || run.kindOf(i) !== "original" || run.endOf(i) !== "succeeded";
  const usual = sample(
    of.filter((i) => !isOut(i) && run.hasCurve(i)),
    USUAL_MAX,
  );
  const line = (i: number): void => {
    const curves = run.attempts.curves;
    if (curves === undefined) return;
    context.moveTo(x(0), y(0));
    for (let point = 0; point < CURVE_POINTS; point++) {
      const ms = cell(curves[CURVE_POINTS * i + point]);
      if (Number.isNaN(ms) || run.startedAt(i) + ms > at) return;
      context.lineTo(x(ms), y((point + 1) / CURVE_POINTS));
    }
  };
  context.globalAlpha = Math.max(0.06, Math.min(0.6, 60 / Math.max(1, usual.length)));
  const [first] = usual;
  if (first !== undefined) context.strokeStyle = lookOf(run.shown(first)).color;
  context.beginPath();
  for (const i of usual) line(i);
  context.stroke();
  context.globalAlpha = 1;
  const stroke = (i: number, wide: number, color: string): void => {
    context.strokeStyle = color;
    context.lineWidth = wide;
    context.setLineDash(run.endOf(i) === "succeeded" ? [] : [4, 3]);
    context.beginPath();
    line(i);
    context.stroke();
  };
  for (const i of sample(of.filter(isOut), OUT_MAX)) {
    const isLate = run.isLate(i) && run.kindOf(i) === "original";
    stroke(i, 1.2, isLate ? inks.late : lookOf(run.shown(i)).color);
  }
  for (const i of selected) stroke(i, 3, inks.ink);
  context.setLineDash([]);
  context.lineWidth = 1;
  if (!Number.isFinite(at)) return;
  context.strokeStyle = context.fillStyle = inks.accent;
  const rayMs = Math.min(longest, 1 / slowPerMs);
  context.beginPath();
  context.moveTo(x(0), y(0));
  context.lineTo(x(rayMs), y(slowPerMs * rayMs));
  context.stroke();
  const ran = of.filter((i) => !run.hasEnded(i, at) && run.scoreAt(i, at) >= 0);
  for (const i of sample(ran, USUAL_MAX)) {
    const ranMs = at - run.startedAt(i);
    context.beginPath();
    context.arc(x(ranMs), y(run.scoreAt(i, at)), 2.5, 0, 2 * Math.PI);
    context.fill();
  }
}

/** Up to `most` of the attempts, evenly chosen. */
export function sample(of: readonly number[], most: number): readonly number[] {
  if (of.length <= most) return of;
  const step = of.length / most;
  return Array.from({ length: most }, (_, n) => cell(of[Math.floor(n * step)]));
}
