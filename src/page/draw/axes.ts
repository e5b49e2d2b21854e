import { ticks } from "../axis.ts";
import type { Surface } from "../canvas.tsx";
import { grouped } from "../format.ts";
import type { Inks } from "../theme.ts";

export interface Frame {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** Marks along the lower edge: numbers of `unit`, each value divided by `per`. */
export function bottomAxis(
  { context }: Surface,
  { left, right, top, bottom }: Frame,
  { from, to, per, unit }: { from: number; to: number; per: number; unit: string },
  inks: Inks,
): void {
  const count = Math.max(2, Math.floor((right - left) / 90));
  const unitWidth = context.measureText(unit).width;
  context.textAlign = "center";
  context.textBaseline = "top";
  for (const value of ticks(from / per, to / per, count)) {
    const x = left + ((value * per - from) / (to - from || 1)) * (right - left);
    context.fillStyle = inks.line;
    context.fillRect(Math.round(x), top, 1, bottom - top);
    const text = tickText(value);
    const half = context.measureText(text).width / 2;
    if (x - half < left - 4 || x + half > right - unitWidth - 8) continue;
    context.fillStyle = inks.faint;
    context.fillText(text, x, bottom + 5);
  }
  context.fillStyle = inks.faint;
  context.textAlign = "right";
  context.fillText(unit, right, bottom + 5);
}

/** Marks along the left edge, and the unit above them. */
export function leftAxis(
  { context }: Surface,
  { left, right, top, bottom }: Frame,
  {
    to,
    per,
    unit,
    place = (share: number) => share,
  }: { to: number; per: number; unit: string; place?: (share: number) => number },
  inks: Inks,
): void {
  context.textAlign = "right";
  context.textBaseline = "middle";
  for (const value of ticks(0, to / per, Math.max(2, Math.floor((bottom - top) / 40)))) {
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
