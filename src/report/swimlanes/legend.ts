import { ATTEMPT_KINDS } from "../../model/attempt.ts";
import { element, text } from "../markup.ts";
import { PATTERNS } from "./bars.ts";
import type { Panel } from "./layout.ts";
import type { Mark } from "./marks.ts";
import { END_NAMES, fillOf, KIND_NAMES, kindColor, SLOW_COLOR } from "./palette.ts";
import type { BarEnd } from "./story.ts";

interface Item {
  readonly name: string;
  readonly fill: string;
  readonly pattern?: string | undefined;
  readonly framed?: boolean;
  readonly thin?: boolean;
}

const ENDS: readonly BarEnd[] = ["killed", "failed", "lost", "running"];

/** The legend of only what the picture shows. Returns the drawing and its height. */
export function drawLegend(
  panels: readonly Panel[],
  phases: readonly string[],
  at: { readonly x: number; readonly y: number; readonly right: number },
): { readonly drawing: string; readonly height: number } {
  const drawn: string[] = [];
  let { x, y } = at;
  for (const item of itemsOf(panels, phases)) {
    const width = 22 + item.name.length * 6.1 + 16;
    if (x + width > at.right) {
      x = at.x;
      y += 18;
    }
    drawn.push(drawItem(item, x, y));
    x += width;
  }
  return { drawing: drawn.join(""), height: y - at.y + 18 };
}

function itemsOf(panels: readonly Panel[], phases: readonly string[]): readonly Item[] {
  const bars = panels.flatMap(({ story }) => story.bars);
  const marks = panels.flatMap((panel) => panel.marks);
  const kinds = new Set(bars.map(({ as }) => as));
  const ends = new Set(bars.map(({ end }) => end));
  const originals = phases.slice(0, 4).map((name, i): Item => {
    return { name: `${name}, original`, fill: kindColor("original", i) };
  });
  const others = ATTEMPT_KINDS.filter((as) => as !== "original" && kinds.has(as)).map((as) => {
    const [name, letter] = KIND_NAMES[as];
    return { name: `${letter}: ${name}`, fill: kindColor(as, 0), framed: true };
  });
  const ended = ENDS.filter((end) => ends.has(end)).map((end): Item => {
    return {
      name: END_NAMES[end],
      fill: fillOf({ as: "original", end }, 0),
      pattern: PATTERNS[end],
    };
  });
  const has = (kind: Mark["kind"]): boolean => marks.some((mark) => mark.kind === kind);
  const down = has("down") || panels.some(({ story }) => story.silences.length > 0);
  return [
    ...originals,
    ...others,
    ...ended,
    ...(has("slow") ? [{ name: "node under a fault", fill: SLOW_COLOR, thin: true }] : []),
    ...(down ? [{ name: "node down or silent", fill: "#ffffff", pattern: "url(#down)" }] : []),
  ];
}

function drawItem({ name, fill, pattern, framed, thin }: Item, x: number, y: number): string {
  const box = { x, y: thin ? y + 4 : y, width: 16, height: thin ? 4 : 11 };
  const frame = framed ? { stroke: "#1f1f1f", "stroke-width": 0.9 } : {};
  return [
    element("rect", { ...box, fill, ...frame }),
    pattern === undefined ? "" : element("rect", { ...box, fill: pattern }),
    text(name, { x: x + 21, y: y + 9.5, "font-size": 11, fill: "#333f4b" }),
  ].join("");
}
