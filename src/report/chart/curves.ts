import { element, escaped, px } from "../markup.ts";
import { number } from "../quantity.ts";
import type { Curve, Curves, Point, Points } from "./drawing.ts";
import {
  across,
  type Picture,
  publishedMark,
  seriesClass,
  upwards,
  whisker,
  xAxis,
  yAxis,
} from "./frame.ts";
import type { AxisScale } from "./scale.ts";

/** Points are marked where there are few enough to distinguish. */
const MARKED_MAX = 25;

interface Axes {
  readonly x: AxisScale;
  readonly y: AxisScale;
}

export function drawCurves(drawing: Curves): Picture {
  const all = drawing.curves.flatMap(({ points, published = [] }) => [...points, ...published]);
  const axes = axesOf(all, drawing);
  const curves = drawing.curves.map((curve, i) => oneCurve(curve, i, axes, drawing.steps));
  const series = drawing.curves.map(({ label }) => label);
  const hasPublished = drawing.curves.some(({ published = [] }) => published.length > 0);
  const content = [frame(axes, drawing), ...curves];
  return { title: drawing.title, content, series, hasPublished };
}

export function drawPoints(drawing: Points): Picture {
  const all = drawing.groups.flatMap(({ points }) => points);
  const axes = axesOf(all, drawing);
  const groups = drawing.groups.map(({ points }, i) =>
    points.map((point) => dot(point, seriesClass(i), axes)).join(""),
  );
  const series = drawing.groups.map(({ label }) => label);
  const content = [frame(axes, drawing), ...groups];
  return { title: drawing.title, content, series, hasPublished: false };
}

type Framed = Pick<Curves, "x" | "y">;

const axesOf = (points: readonly Point[], drawing: Framed): Axes => ({
  x: across(
    points.map(({ x }) => x),
    drawing.x,
  ),
  y: upwards(
    points.flatMap(({ y, low, high }) => [y, low ?? y, high ?? y]),
    drawing.y,
  ),
});

const frame = ({ x, y }: Axes, drawing: Framed): string =>
  yAxis(y, drawing.y) + xAxis(x, drawing.x);

function oneCurve(
  { label, points, published = [] }: Curve,
  index: number,
  axes: Axes,
  steps: boolean,
): string {
  const colour = seriesClass(index);
  const few = points.length <= MARKED_MAX && !steps;
  const whiskers = points.map(({ x, y, low = y, high = y }) =>
    high > low && few ? whisker(axes.x.at(x), axes.y.at(low), axes.y.at(high), 4) : "",
  );
  const marks = published.map(({ x, y }) =>
    publishedMark(axes.x.at(x), axes.y.at(y), `${label}, published: ${number(y)} at ${number(x)}`),
  );
  return [
    element("path", { class: `line ${colour}`, d: wayThrough(points, axes, steps) }),
    ...whiskers,
    ...(few ? points.map((point) => dot(point, colour, axes)) : []),
    ...marks,
  ].join("");
}

function wayThrough(points: readonly Point[], { x, y }: Axes, steps: boolean): string {
  return points
    .map((point, i) => {
      const [across, up] = [px(x.at(point.x)), px(y.at(point.y))];
      if (i === 0) return `M${across} ${up}`;
      return steps ? `H${across}V${up}` : `L${across} ${up}`;
    })
    .join("");
}

function dot({ x, y }: Point, colour: string, axes: Axes): string {
  const at = { cx: axes.x.at(x), cy: axes.y.at(y), r: 3.5 };
  const text = escaped(`${number(x)}: ${number(y)}`);
  return element("circle", { class: colour, ...at }, element("title", {}, text));
}
