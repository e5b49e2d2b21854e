import { type Box, boxPath, element, text, title } from "../markup.ts";
import type { PanelLayout } from "./layout.ts";
import { END_NAMES, fillOf, KIND_NAMES } from "./palette.ts";
import type { BarEnd, LaneBar } from "./story.ts";

/** With more bars than this, bars have no titles. */
const TITLED_MAX = 6_000;
/** Below this height in pixels a bar has no text, and patterns are invisible. */
const WORDS_FROM = 8;
const PATTERNS_FROM = 4;
const LETTER_WIDTH = 6.2;
const COPY_WIDTH_MIN = 3;
/** Bars have numbers only if this share of them has room for one. */
const NUMBERED_SHARE = 0.6;

export const PATTERNS: Partial<Record<BarEnd, string>> = {
  killed: "url(#killed)",
  failed: "url(#failed)",
  lost: "url(#lost)",
};

/** Patterns that distinguish ends without colour. */
export const patternDefinitions = (): string =>
  element(
    "defs",
    {},
    pattern("killed", 5, { d: "M-1 6L6 -1M-1 1L1 -1M4 6L6 4", stroke: "#3a3a3a" }, 0.55),
    pattern("failed", 5, { d: "M0 0L5 5M5 0L0 5", stroke: "#ffffff" }, 0.8),
    pattern("lost", 4, { d: "M1 1h1.4v1.4h-1.4zM3 3h1v1h-1z", fill: "#ffffff" }, 0.9),
    pattern("down", 6, { d: "M0 6L6 0M-1 1L1 -1M5 7L7 5", stroke: "#222222" }, 0.35),
  );

const pattern = (
  id: string,
  size: number,
  path: Readonly<Record<string, string>>,
  opacity: number,
): string =>
  element(
    "pattern",
    { id, width: size, height: size, patternUnits: "userSpaceOnUse" },
    element("path", { "stroke-width": 0.9, fill: "none", ...path, opacity }),
  );

/** `phaseNames`: the phases of all panels, so that a phase has one colour everywhere. */
export function drawBars(layout: PanelLayout, phaseNames: readonly string[]): string {
  const { story } = layout.panel;
  const phases = new Map(phaseNames.map((name, i) => [name, i]));
  const placed = story.bars.map((bar) => {
    const phase = phases.get(bar.phase) ?? 0;
    return { bar, box: boxOf(bar, layout), fill: fillOf(bar, phase) };
  });
  const { laneHeight } = layout;
  if (placed.length > TITLED_MAX) return drawTogether(placed, laneHeight);
  const numbered = hasNumbers(placed);
  return placed
    .map(({ bar, box, fill }) =>
      element(
        "g",
        {},
        title(story.jobs.length > 1 ? describe(bar, `${bar.job}/`) : describe(bar, "")),
        element("rect", { ...box, fill, ...outline(bar, laneHeight) }),
        ...over(bar, box, laneHeight),
        ...words(bar, box, numbered),
      ),
    )
    .join("\n");
}

/** Draws bars of equal look as one path: among ten thousand bars titles are useless. */
function drawTogether(
  placed: readonly { readonly bar: LaneBar; readonly box: Box; readonly fill: string }[],
  laneHeight: number,
): string {
  const paths = new Map<string, string[]>();
  const add = (fill: string, box: Box): void => {
    const boxes = paths.get(fill) ?? [];
    paths.set(fill, boxes);
    boxes.push(boxPath(box));
  };
  for (const { box, fill } of placed) add(fill, box);
  if (laneHeight >= PATTERNS_FROM) {
    for (const { bar, box } of placed) {
      const pattern = PATTERNS[bar.end];
      if (pattern !== undefined) add(pattern, box);
    }
  }
  return [...paths].map(([fill, boxes]) => element("path", { d: boxes.join(""), fill })).join("\n");
}

function boxOf(bar: LaneBar, { blocks, laneHeight, laneGap, x }: PanelLayout): Box {
  const from = x(bar.from);
  // Leaves 0.4 pixels free, so that one wave visibly ends before the next begins. A copy stays
  // visible however short it is.
  const least = bar.as === "original" ? 0.4 : COPY_WIDTH_MIN;
  const width = Math.max(least, x(bar.to) - from - 0.4);
  const y = (blocks[bar.node]?.y ?? 0) + bar.lane * laneHeight;
  return { x: from, y, width, height: laneHeight - laneGap };
}

/** A copy stands out by its frame, whatever the colours. */
function outline({ as }: LaneBar, laneHeight: number): Readonly<Record<string, string | number>> {
  if (as === "original" || laneHeight < PATTERNS_FROM) return {};
  return { stroke: "#1f1f1f", "stroke-width": 0.9 };
}

function over({ end }: LaneBar, box: Box, laneHeight: number): readonly string[] {
  const fill = PATTERNS[end];
  return fill === undefined || laneHeight < PATTERNS_FROM
    ? []
    : [element("rect", { ...box, fill })];
}

/** Numbers on a few bars only would look arbitrary. */
function hasNumbers(placed: readonly { readonly bar: LaneBar; readonly box: Box }[]): boolean {
  const roomy = placed.filter(({ bar, box }) => fits(nameOf(bar), box));
  return roomy.length >= NUMBERED_SHARE * placed.length;
}

/** The task's number, after the letter of the attempt's kind. */
function nameOf({ as, index }: LaneBar): string {
  const [, letter] = KIND_NAMES[as];
  return letter === "" ? `${index}` : `${letter} ${index}`;
}

const fits = (content: string, { width }: Box): boolean =>
  content !== "" && content.length * LETTER_WIDTH + 5 <= width;

/** The attempt's name, or its letter alone. */
function words(bar: LaneBar, box: Box, numbered: boolean): readonly string[] {
  const { x, y, height } = box;
  if (height < WORDS_FROM) return [];
  const { as, end } = bar;
  const [, letter] = KIND_NAMES[as];
  const names = numbered || as !== "original" ? [nameOf(bar), letter] : [];
  const content = names.find((one) => fits(one, box));
  if (content === undefined) return [];
  const size = Math.min(11, height - 1);
  const halo =
    end === "succeeded" ? {} : { stroke: "#ffffff", "stroke-width": 2.4, "paint-order": "stroke" };
  const place = { x: x + 3, y: y + height / 2 + size * 0.36, "font-size": size };
  return [text(content, { ...place, fill: "#16202b", ...halo })];
}

function describe({ as, end, from, to, index, phase, reason }: LaneBar, job: string): string {
  const times = `${(from / 1_000).toFixed(1)} s to ${(to / 1_000).toFixed(1)} s`;
  const why = reason === "" ? "" : ` (${reason})`;
  return `${job}${phase}/${index}, ${as}: ${times}, ${END_NAMES[end]}${why}`;
}
