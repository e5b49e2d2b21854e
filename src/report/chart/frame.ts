import { element, escaped, px } from "../markup.ts";
import type { Axis } from "./drawing.ts";
import { type AxisRange, type AxisScale, linearScale, logScale } from "./scale.ts";

/** The size of the picture, and the margins for the axes. */
export const SIZE = { width: 640, height: 320, left: 64, right: 16, top: 12, bottom: 48 };

export const PLOT = {
  left: SIZE.left,
  right: SIZE.width - SIZE.right,
  top: SIZE.top,
  bottom: SIZE.height - SIZE.bottom,
};

/** The range of an axis, from the shown values and the drawing's wishes. */
export function rangeOf(values: readonly number[], axis: Axis): AxisRange {
  const finite = values.filter((value) => Number.isFinite(value) && (!axis.log || value > 0));
  const low = finite.reduce((min, value) => Math.min(min, value), Number.POSITIVE_INFINITY);
  const high = finite.reduce((max, value) => Math.max(max, value), Number.NEGATIVE_INFINITY);
  const from = axis.from ?? (finite.length > 0 ? low : 0);
  const to = axis.to ?? (finite.length > 0 ? high : 1);
  return { from: axis.log && from <= 0 ? Math.min(low, to) : from, to: Math.max(from, to) };
}

export const scaleOf = (values: AxisRange, axis: Axis, pixels: AxisRange): AxisScale =>
  axis.log && values.from > 0 ? logScale(values, pixels) : linearScale(values, pixels);

export const across = (values: readonly number[], axis: Axis): AxisScale =>
  scaleOf(rangeOf(values, axis), axis, { from: PLOT.left, to: PLOT.right });

export const upwards = (values: readonly number[], axis: Axis): AxisScale =>
  scaleOf(rangeOf(values, axis), axis, { from: PLOT.bottom, to: PLOT.top });

/** Grid lines at the ticks of the y axis, with their labels. */
export function yAxis(scale: AxisScale, { title }: Axis): string {
  const lines = scale.ticks.map(({ value, text }) => {
    const y = scale.at(value);
    return [
      element("line", { class: "grid", x1: PLOT.left, x2: PLOT.right, y1: y, y2: y }),
      element("text", { class: "tick", x: PLOT.left - 8, y: y + 4, "text-anchor": "end" }, text),
    ].join("");
  });
  const middle = (PLOT.top + PLOT.bottom) / 2;
  const turned = { x: 14, y: middle, transform: `rotate(-90 14 ${middle})` };
  return [
    ...lines,
    element("text", { class: "title", "text-anchor": "middle", ...turned }, escaped(title)),
  ].join("");
}

export function xAxis(scale: AxisScale, { title }: Axis): string {
  const marks = scale.ticks.map(({ value, text }) => {
    const x = scale.at(value);
    const y = PLOT.bottom;
    return [
      element("line", { class: "axis", x1: x, x2: x, y1: y, y2: y + 4 }),
      element("text", { class: "tick", x, y: y + 17, "text-anchor": "middle" }, text),
    ].join("");
  });
  return [...marks, baseline(), xTitle(title)].join("");
}

export const baseline = (y = PLOT.bottom): string =>
  element("line", { class: "axis", x1: PLOT.left, x2: PLOT.right, y1: y, y2: y });

export const xTitle = (title: string): string =>
  element(
    "text",
    {
      class: "title",
      x: (PLOT.left + PLOT.right) / 2,
      y: SIZE.height - 8,
      "text-anchor": "middle",
    },
    escaped(title),
  );

/** The ends of an interval, across a bar or a point. */
export function whisker(x: number, low: number, high: number, half = 5): string {
  const stem = `M${px(x)} ${px(low)}V${px(high)}`;
  const ends = [low, high].map((y) => `M${px(x - half)} ${px(y)}H${px(x + half)}`).join("");
  return element("path", { class: "whisker", d: stem + ends });
}

/** The mark of a published value: a diamond, which no measured value uses. */
export function publishedMark(x: number, y: number, text: string): string {
  const d = `M${px(x)} ${px(y - 6)}l6 6l-6 6l-6 -6z`;
  return element("path", { class: "published", d }, element("title", {}, escaped(text)));
}

export const COLOURS = 6;

/** The class of a series by its index: colours repeat after the sixth, with dashes. */
export const seriesClass = (index: number): string =>
  `s${index % COLOURS}${index >= COLOURS ? " again" : ""}`;

/** A drawing within its frame, and what its legend names. */
export interface Picture {
  readonly title: string;
  /** SVG. */
  readonly content: readonly string[];
  readonly series: readonly string[];
  readonly hasPublished: boolean;
}
