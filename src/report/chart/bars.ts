import { element, escaped } from "../markup.ts";
import { number } from "../quantity.ts";
import type { Bar, Bars } from "./drawing.ts";
import {
  baseline,
  type Picture,
  PLOT,
  publishedMark,
  seriesClass,
  upwards,
  whisker,
  yAxis,
} from "./frame.ts";
import type { AxisScale } from "./scale.ts";

/** The share of a group's width that its bars fill. */
const FILLED = 0.78;
const BAR_MAX = 56;
/** The most characters of a group's label per line, and the most lines. */
const LINE_MAX = 16;
const LINES_MAX = 2;

export function drawBars(drawing: Bars): Picture {
  const bars = drawing.groups.flatMap((group) => group.bars);
  const series = [...new Set(bars.map((bar) => bar.series))];
  const seen = bars.flatMap(({ value, low, high, published }) => [
    value,
    low ?? value,
    high ?? value,
    published ?? value,
  ]);
  // A bar stands on zero, whatever range the axis has.
  const y = upwards(drawing.y.log ? seen : [0, ...seen], drawing.y);
  const room = (PLOT.right - PLOT.left) / drawing.groups.length;
  const groups = drawing.groups.map((group, i) => {
    const left = PLOT.left + i * room;
    const width = Math.min(BAR_MAX, (room * FILLED) / Math.max(1, group.bars.length));
    const start = left + (room - width * group.bars.length) / 2;
    const drawn = group.bars.map((bar, j) =>
      oneBar(bar, { y, x: start + j * width, width, series: series.indexOf(bar.series) }),
    );
    return drawn.join("") + groupLabel(group.label, left + room / 2, room);
  });
  const hasPublished = bars.some(({ published }) => published !== undefined);
  const content = [yAxis(y, drawing.y), ...groups, baseline(footOf(y))];
  return { title: drawing.title, content, series, hasPublished };
}

function oneBar(
  { value, low, high, published, series: name }: Bar,
  at: {
    readonly y: AxisScale;
    readonly x: number;
    readonly width: number;
    readonly series: number;
  },
): string {
  const { y, x, width } = at;
  const middle = x + width / 2;
  const foot = footOf(y);
  const top = y.at(value);
  const box = {
    class: seriesClass(at.series),
    x: x + 1,
    y: Math.min(top, foot),
    width: Math.max(1, width - 2),
    height: Math.abs(foot - top),
  };
  const interval = low !== undefined && high !== undefined && high > low;
  const range = interval ? ` (${number(low)} to ${number(high)})` : "";
  const text = `${name}: ${number(value)}${range}`;
  return [
    element("rect", box, element("title", {}, escaped(text))),
    interval ? whisker(middle, y.at(low), y.at(high)) : "",
    published === undefined
      ? ""
      : publishedMark(middle, y.at(published), `${name}, published: ${number(published)}`),
  ].join("");
}

/** The foot of the bars: at zero, or at the axis if zero is out of range. */
function footOf(y: AxisScale): number {
  const zero = Math.min(PLOT.bottom, Math.max(PLOT.top, y.at(0)));
  return Number.isFinite(zero) ? zero : PLOT.bottom;
}

/** The label, in two lines if it is long. */
function groupLabel(label: string, x: number, room: number): string {
  const perLine = Math.max(4, Math.min(LINE_MAX * 2, Math.floor(room / 6.5)));
  const lines: string[] = [""];
  for (const word of label.split(" ")) {
    const last = lines.at(-1) ?? "";
    if (last !== "" && last.length + 1 + word.length > perLine) lines.push(word);
    else lines[lines.length - 1] = last === "" ? word : `${last} ${word}`;
  }
  const shown = lines.slice(0, LINES_MAX + 1);
  return shown
    .map((line, i) =>
      element(
        "text",
        { class: "tick", x, y: PLOT.bottom + 16 + 13 * i, "text-anchor": "middle" },
        escaped(line),
      ),
    )
    .join("");
}
