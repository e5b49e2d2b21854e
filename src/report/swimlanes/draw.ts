import { element, text } from "../markup.ts";
import { drawBars, patternDefinitions } from "./bars.ts";
import { drawMarks, drawSilences, drawTints } from "./draw-marks.ts";
import { type Band, type Layout, layOut, type Panel, type PanelLayout, ticks } from "./layout.ts";
import { drawLegend } from "./legend.ts";
import type { Story } from "./story.ts";

export interface Picture {
  readonly title: string;
  readonly subtitle: string;
  /** Runs that share one time axis, from top to bottom. */
  readonly panels: readonly Panel[];
}

const INK = "#1d2935";
const QUIET = "#5c6975";
const GAIN = "#1b7f3b";
const HEAD = 52;
const JOBS_MAX = 60;

/** A whole SVG file: for each run its rows by node and slot, time from left to right. */
export function drawSwimlanes({ title, subtitle, panels }: Picture): string {
  const phases = [...new Set(panels.flatMap(({ story }) => story.phases))];
  const legend = drawLegend(panels, phases, { x: 16, y: HEAD, right: 1264 });
  const layout = layOut(panels, HEAD + legend.height + 8);
  const height = Math.ceil(layout.bottom + 34);
  const slowest = panels.length > 1 ? panels[0]?.story.endsAt : undefined;
  const parts = [
    patternDefinitions(),
    element("rect", { width: layout.width, height, fill: "#ffffff" }),
    text(title, { x: 16, y: 24, "font-size": 17, "font-weight": 600, fill: INK }),
    text(subtitle, { x: 16, y: 42, "font-size": 12, fill: QUIET }),
    legend.drawing,
    ...layout.panels.map((panel) => drawRows(panel, layout)),
    drawAxis(layout),
    ...layout.panels.flatMap((panel) => [
      drawTints(panel),
      drawBars(panel, phases),
      drawSilences(panel),
      drawMarks(panel),
      drawJobs(panel, layout),
      drawGain(panel, panel.panel.baselineMs ?? slowest),
    ]),
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

/** The panel's title, the nodes' names, and a pale background for every other node. */
function drawRows({ panel, blocks, racks, laneHeight, titleAt }: PanelLayout, layout: Layout) {
  const { left, right } = layout;
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
    const at = { left, y, laneHeight };
    if (laneHeight >= 9) parts.push(...slotNames(node.lanes, panel.slotKinds, at));
    return parts.join("");
  });
  const { title } = panel;
  const place = { x: 16, y: titleAt, "font-size": 14, "font-weight": 600, fill: INK };
  const heading = title === undefined ? [] : [text(title, place)];
  return [...heading, ...rows, ...racks.map(drawRackName)].join("\n");
}

/** The names of slot kinds, one for adjacent slots of the same kind; none if there is one kind. */
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

function drawAxis(layout: Layout): string {
  const { bottom, left, right, x, panels } = layout;
  const lines = ticks(layout).map((ms) => {
    const at = x(ms);
    const label = `${ms / 1_000}`.replace(/\B(?=(\d{3})+$)/g, " ");
    return [
      ...panels.map(({ top, bottom: y2 }) =>
        element("line", { x1: at, x2: at, y1: top, y2, stroke: "#dbe1e6" }),
      ),
      text(label, { x: at, y: bottom + 15, "font-size": 11, fill: QUIET, "text-anchor": "middle" }),
    ].join("");
  });
  const axis = { x1: left, x2: right, y1: bottom, y2: bottom, stroke: QUIET };
  const unit = { x: right, y: bottom + 29, "font-size": 11, fill: QUIET, "text-anchor": "end" };
  return [...lines, element("line", axis), text("seconds", unit)].join("\n");
}

/** Draws a line for each job if there are few, with a name where there is room. */
function drawJobs({ panel, top, bottom, x }: PanelLayout, { left, right }: Layout): string {
  const { jobs, endsAt } = panel.story;
  let namedTo = left - 1;
  const parts: string[] = [];
  for (const { name, to, outcome } of jobs.slice(0, JOBS_MAX)) {
    if (to === undefined) continue;
    const at = x(to);
    const line = { x1: at, x2: at, y1: top - 5, y2: bottom, stroke: INK, "stroke-width": 1 };
    parts.push(element("line", { ...line, "stroke-dasharray": to === endsAt ? undefined : "4 3" }));
    const label = `${name} ${outcome === "succeeded" ? "ends" : outcome}, ${secondsOf(to)}`;
    const width = label.length * 5.8;
    const start = Math.min(right, at) - width;
    if (start < namedTo) continue;
    const place = { x: Math.min(right, at), y: top - 8, "text-anchor": "end", "font-size": 11 };
    parts.push(text(label, { ...place, fill: INK }));
    namedTo = Math.min(right, at) + 4;
  }
  return parts.join("\n");
}

const secondsOf = (ms: number): string => `${(ms / 1_000).toFixed(ms < 1e6 ? 1 : 0)} s`;

/** A bracket from the run's end to the end of the run it is compared with: the time gained. */
function drawGain({ panel, top, bottom, x }: PanelLayout, baselineMs: number | undefined): string {
  const { endsAt } = panel.story;
  if (baselineMs === undefined || !isWhole(panel.story)) return "";
  const [from, to] = [x(endsAt), x(baselineMs)];
  const label = `${secondsOf(baselineMs - endsAt)} earlier`;
  if (to - from < label.length * 6.4 + 12) return "";
  const y = (top + bottom) / 2;
  const d = `M${from + 2} ${y}H${to}M${to} ${y - 5}v10M${from + 8} ${y - 4}l-6 4l6 4`;
  const middle = { x: (from + to) / 2, y: y - 6, "text-anchor": "middle", "font-size": 12 };
  return [
    element("path", { d, stroke: GAIN, "stroke-width": 1.4, fill: "none" }),
    text(label, { ...middle, "font-weight": 600, fill: GAIN }),
  ].join("");
}

const isWhole = ({ jobs }: Story): boolean => jobs.every(({ outcome }) => outcome === "succeeded");
