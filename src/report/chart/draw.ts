import { never } from "../../base/assert.ts";
import { element, escaped } from "../markup.ts";
import { drawBars } from "./bars.ts";
import { drawCurves, drawPoints } from "./curves.ts";
import type { Drawing } from "./drawing.ts";
import { type Picture, SIZE, seriesClass } from "./frame.ts";
import { PICTURE_STYLE } from "./style.ts";

/** The drawing as SVG, with its legend as HTML below. */
export function draw(drawing: Drawing): string {
  const picture = pictureOf(drawing);
  return element("svg", attributesOf(picture, SIZE.height), ...picture.content) + legend(picture);
}

const LINE = 20;

/** The drawing as an SVG file of its own: its title above, its legend and its style within. */
export function drawAlone(drawing: Drawing): string {
  const picture = pictureOf(drawing);
  const names = picture.series.map((name, i) => {
    const y = SIZE.height + LINE * (i + 1);
    const box = { class: seriesClass(i), x: SIZE.left, y: y - 10, width: 11, height: 11 };
    const text = element("text", { x: SIZE.left + 18, y }, escaped(name));
    return element("rect", box) + text;
  });
  const moved = element("g", { transform: `translate(0 ${LINE})` }, ...picture.content, ...names);
  const title = element("text", { x: SIZE.left, y: LINE - 4 }, escaped(picture.title));
  const height = SIZE.height + LINE * (names.length + 2);
  const ground = element("rect", { class: "ground", width: SIZE.width, height });
  const style = element("style", {}, PICTURE_STYLE);
  const attributes = { xmlns: "http://www.w3.org/2000/svg", ...attributesOf(picture, height) };
  return `${element("svg", attributes, style, ground, title, moved)}\n`;
}

function pictureOf(drawing: Drawing): Picture {
  switch (drawing.kind) {
    case "bars":
      return drawBars(drawing);
    case "curves":
      return drawCurves(drawing);
    case "points":
      return drawPoints(drawing);
    default:
      return never(drawing);
  }
}

/** With a description in words for readers who cannot see it. */
const attributesOf = ({ title }: Picture, height: number) => ({
  viewBox: `0 0 ${SIZE.width} ${height}`,
  role: "img",
  "aria-label": title,
});

/** The names of the series below the drawing. */
function legend({ series, hasPublished }: Picture): string {
  const items = series.map((label, i) =>
    element("span", {}, element("i", { class: seriesClass(i) }), escaped(label)),
  );
  const published = hasPublished
    ? [element("span", {}, element("i", { class: "diamond" }), "published")]
    : [];
  return element("p", { class: "legend" }, ...items, ...published);
}
