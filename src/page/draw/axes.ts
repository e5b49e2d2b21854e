import type { Surface } from "../canvas.tsx";
import { grouped } from "../format.ts";
import type { Inks } from "../theme.ts";

export interface Frame {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/**
 * Marks along the lower edge: numbers of `unit`, each value divided by `per`. The last number has
 * the unit beside it; a unit in words stands below.
 */
export function bottomAxis(
  { context }: Surface,
  { left, right, top, bottom }: Frame,
  { from, to, per, unit }: { from: number; to: number; per: number; unit: string },
  inks: Inks,
): void {
  const values = ticks(from / per, to / per, Math.max(3, Math.floor((right - left) / 90)));
  const isInWords = unit.length > 2;
  context.textAlign = "center";
  context.textBaseline = "top";
  for (const value of values) {
    const x = left + ((value * per - from) / (to - from || 1)) * (right - left);
    context.fillStyle = inks.line;
    context.fillRect(Math.round(x), top, 1, bottom - top);
    const isLast = value === values.at(-1) && !isInWords;
    const text = `${tickText(value)}${isLast ? ` ${unit}` : ""}`;
    const half = context.measureText(text).width / 2;
    context.fillStyle = inks.faint;
    context.fillText(text, Math.min(x, right + 4 - half), bottom + 5);
  }
  if (isInWords) nameAxis(context, { right, bottom }, unit, inks);
}

/** What the lower axis shows, below its numbers. */
export function nameAxis(
  context: CanvasRenderingContext2D,
  { right, bottom }: Pick<Frame, "right" | "bottom">,
  name: string,
  inks: Inks,
): void {
  context.fillStyle = inks.faint;
  context.textAlign = "right";
  context.fillText(name, right, bottom + 20);
}

/** Marks along the left edge, about `most` at most, and the unit above them. */
export function leftAxis(
  { context }: Surface,
  { left, right, top, bottom }: Frame,
  {
    to,
    per,
    unit,
    most = Number.POSITIVE_INFINITY,
    place = (share: number) => share,
  }: { to: number; per: number; unit: string; most?: number; place?: (share: number) => number },
  inks: Inks,
): void {
  context.textAlign = "right";
  context.textBaseline = "middle";
  const count = Math.min(most, Math.max(2, Math.floor((bottom - top) / 40)));
  for (const value of ticks(0, to / per, count)) {
    const y = bottom - place((value * per) / to) * (bottom - top);
    context.fillStyle = inks.line;
    context.fillRect(left, Math.round(y), right - left, 1);
    context.fillStyle = inks.faint;
    context.fillText(tickText(value), left - 6, y);
  }
  context.textAlign = "left";
  context.textBaseline = "top";
  context.fillText(unit, 0, 0);
}

function tickText(value: number): string {
  const short = Number(value.toPrecision(4));
  return Number.isInteger(short) ? grouped(short) : String(short);
}

/** About `count` round values within [from, to], and how far they are apart. */
function ticks(from: number, to: number, count: number): readonly number[] {
  const rough = (to - from) / Math.max(count, 1);
  if (!(rough > 0)) return [];
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((one) => one * power).find((one) => one >= rough) ?? rough;
  const first = Math.ceil(from / step);
  const last = Math.floor(to / step + 1e-9);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, n) => (first + n) * step);
}
