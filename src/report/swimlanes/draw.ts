import { element, text, title } from "../markup.ts";
import { drawBars, patternDefinitions } from "./bars.ts";
import { type Band, type Layout, layOut, ticks } from "./layout.ts";
import { drawLegend } from "./legend.ts";
import type { Mark } from "./marks.ts";
import type { SilentSpan, Story } from "./story.ts";

export interface Picture {
  readonly story: Story;
  readonly marks: readonly Mark[];
  /** Names of the kinds of slot. */
  readonly slotKinds: readonly string[];
  readonly title: string;
  readonly subtitle: string;
}

const INK = "#1d2935";
const QUIET = "#5c6975";
const SLOW = "#f0b400";
const HEAD = 52;

/** A whole SVG file: rows by node and slot, time from left to right. */
export function drawSwimlanes(picture: Picture): string {
  const { story, marks } = picture;
  const legend = drawLegend(story, marks, { x: 16, y: HEAD, right: 1264 });
  const racks = [...new Set(marks.flatMap(({ of, target }) => (of === "rack" ? [target] : [])))];
  const top = HEAD + legend.height + 28;
  const layout = layOut(story, { top, racks });
  const height = Math.ceil(layout.bottom + 34);
  const parts = [
    patternDefinitions(),
    element("rect", { width: layout.width, height, fill: "#ffffff" }),
    text(picture.title, { x: 16, y: 24, "font-size": 17, "font-weight": 600, fill: INK }),
    text(picture.subtitle, { x: 16, y: 42, "font-size": 12, fill: QUIET }),
    legend.drawing,
    drawRows(layout, picture.slotKinds),
    drawAxis(layout, story.endsAt),
    drawTints(layout, marks),
    drawBars(story, layout),
    drawSilences(layout, story.silences, marks),
    drawMarks(layout, marks),
    drawJobs(layout, story),
  ];
  return `${element(
    "svg",
    {
      xmlns: "http://www.w3.org/2000/svg",
      width: layout.width,
      height,
      viewBox: `0 0 ${layout.width} ${height}`,
      "font-family": "Helvetica, Arial, sans-serif",
    },
    parts.join("\n"),
  )}\n`;
}

/** The nodes' names, and a pale background for every other node. */
function drawRows({ blocks, racks, left, right, laneHeight }: Layout, kinds: readonly string[]) {
  let namedTo = Number.NEGATIVE_INFINITY;
  const rows = blocks.map(({ name, node, y, height }, i) => {
    const parts = [];
    const width = right - left;
    if (i % 2 === 0) parts.push(element("rect", { x: left, y, width, height, fill: "#f4f6f8" }));
    const size = Math.min(12, Math.max(9, height));
    if (y + height / 2 - size / 2 >= namedTo) {
      const place = { x: 16, y: y + height / 2 + size * 0.36 };
      parts.push(text(shortened(name), { ...place, "font-size": size, fill: INK }));
      namedTo = y + height / 2 + size / 2 + 1;
    }
    if (laneHeight >= 9) parts.push(...slotNames(node.lanes, kinds, { left, y, laneHeight }));
    return parts.join("");
  });
  return [...rows, ...racks.map((band) => drawRackName(band))].join("\n");
}

/** The names of slot kinds, one for adjacent slots of the same kind. */
function slotNames(
  lanes: readonly number[],
  kinds: readonly string[],
  at: { readonly left: number; readonly y: number; readonly laneHeight: number },
): readonly string[] {
  return lanes.flatMap((kind, lane) => {
    if (lane > 0 && lanes[lane - 1] === kind) return [];
    const y = at.y + lane * at.laneHeight + at.laneHeight / 2 + 3;
    const place = { x: at.left - 6, y, "text-anchor": "end" };
    return [text(shortened(kinds[kind] ?? ""), { ...place, "font-size": 9, fill: QUIET })];
  });
}

const drawRackName = ({ name, y, height }: Band): string =>
  text(`${shortened(name)} links`, { x: 16, y: y + height - 3, "font-size": 10, fill: QUIET });

const shortened = (name: string): string => (name.length > 13 ? `${name.slice(0, 12)}…` : name);

function drawAxis(layout: Layout, endsAt: number): string {
  const { bottom, left, right, top, x } = layout;
  const lines = ticks(layout, endsAt).map((ms) => {
    const at = x(ms);
    const label = `${ms / 1_000}`.replace(/\B(?=(\d{3})+$)/g, " ");
    return [
      element("line", { x1: at, x2: at, y1: top, y2: bottom, stroke: "#dbe1e6" }),
      text(label, { x: at, y: bottom + 15, "font-size": 11, fill: QUIET, "text-anchor": "middle" }),
    ].join("");
  });
  const axis = { x1: left, x2: right, y1: bottom, y2: bottom, stroke: QUIET };
  const unit = { x: right, y: bottom + 29, "font-size": 11, fill: QUIET, "text-anchor": "end" };
  return [...lines, element("line", axis), text("seconds", unit)].join("\n");
}

function bandOf({ blocks, racks }: Layout, { of, target }: Mark): Band | undefined {
  return (of === "rack" ? racks : blocks).find(({ name }) => name === target);
}

/** Tints behind the bars: where and when a node was slow or down. */
function drawTints(layout: Layout, marks: readonly Mark[]): string {
  return marks
    .flatMap((mark) => {
      const band = bandOf(layout, mark);
      if (band === undefined || mark.kind === "blow") return [];
      const x = layout.x(mark.from);
      const box = { x, y: band.y, width: layout.x(mark.to) - x, height: band.height };
      return [element("rect", { ...box, fill: mark.kind === "slow" ? "#fff0c2" : "#dddddd" })];
    })
    .join("\n");
}

/** Hatching over the bars: the node is silent, and nothing moves there. */
function drawSilences(
  layout: Layout,
  silences: readonly SilentSpan[],
  marks: readonly Mark[],
): string {
  const hatched = silences.map(({ node, from, to, lost }) => {
    const band = layout.blocks[node];
    return { band, from, to, what: lost ? "silent, then given up" : "silent" };
  });
  const down = marks
    .filter(({ kind }) => kind === "down")
    .map((mark) => ({ ...mark, band: bandOf(layout, mark), what: mark.text }));
  // A node that is marked as down is also silent, but gets hatched only once.
  const unmarked = hatched.filter(
    ({ band, from, to }) =>
      !down.some((one) => one.band === band && one.from <= to && from <= one.to),
  );
  return [...unmarked, ...down]
    .flatMap(({ band, from, to, what }) => {
      if (band === undefined) return [];
      const x = layout.x(from);
      const box = { x, y: band.y, width: layout.x(to) - x, height: band.height };
      const words = title(`${band.name}: ${what}`);
      return [element("rect", { ...box, fill: "url(#down)" }, words)];
    })
    .join("\n");
}

/** A strip along the top of the node for a mark that lasts; a triangle for an instant. */
function drawMarks(layout: Layout, marks: readonly Mark[]): string {
  const labelled = new Map<string, number>();
  return marks
    .flatMap((mark) => {
      const band = bandOf(layout, mark);
      if (band === undefined) return [];
      const x = layout.x(mark.from);
      const words = title(`${mark.target}: ${mark.text}, from ${(mark.from / 1_000).toFixed(1)} s`);
      const strip = Math.min(3.5, Math.max(0.8, band.height * 0.12));
      if (mark.kind === "blow") {
        const size = Math.min(6, Math.max(2, band.height / 2));
        const d = `M${x - size} ${band.y - size}h${2 * size}l${-size} ${1.6 * size}z`;
        return [
          element("path", { d, fill: "#b3008f", stroke: "#ffffff", "stroke-width": 0.6 }, words),
        ];
      }
      const width = Math.max(1, layout.x(mark.to) - x);
      const fill = mark.kind === "slow" ? SLOW : "#222222";
      const box = { x, y: band.y - strip, width, height: strip };
      const parts = [element("rect", { ...box, fill }, words)];
      const key = `${mark.of} ${mark.target}`;
      const room = mark.text.length * 5.4 + 6;
      if (band.height >= 12 && width >= room && (labelled.get(key) ?? 0) <= x) {
        parts.push(drawLabel(mark.text, { x: x + 4, y: band.y + 9 }));
        labelled.set(key, x + room);
      }
      return parts;
    })
    .join("\n");
}

const drawLabel = (content: string, at: { readonly x: number; readonly y: number }): string =>
  text(content, {
    ...at,
    "font-size": 10,
    "font-weight": 600,
    fill: "#5b3f00",
    stroke: "#ffffff",
    "stroke-width": 3,
    "paint-order": "stroke",
  });

/** Draws a line for each job if there are few, with a name where there is room. */
function drawJobs(layout: Layout, { jobs, endsAt }: Story): string {
  const { top, bottom, x, left, right } = layout;
  let namedTo = left - 1;
  const parts: string[] = [];
  for (const { name, to, outcome } of jobs.slice(0, JOBS_MAX)) {
    if (to === undefined) continue;
    const at = x(to);
    const line = { x1: at, x2: at, y1: top - 8, y2: bottom, stroke: INK, "stroke-width": 1 };
    const how = outcome === "succeeded" ? "ends" : `${outcome}`;
    const label = `${name} ${how}, ${(to / 1_000).toFixed(to < 1e6 ? 1 : 0)} s`;
    const width = label.length * 5.8;
    parts.push(element("line", { ...line, "stroke-dasharray": to === endsAt ? undefined : "4 3" }));
    const start = Math.min(right, at) - width;
    if (start < namedTo) continue;
    const place = { x: Math.min(right, at), y: top - 12, "text-anchor": "end", "font-size": 11 };
    parts.push(text(label, { ...place, fill: INK }));
    namedTo = Math.min(right, at) + 4;
  }
  return parts.join("\n");
}

const JOBS_MAX = 60;
