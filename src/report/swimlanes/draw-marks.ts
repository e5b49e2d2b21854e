import { element, text, title } from "../markup.ts";
import { type Band, LABEL_HEIGHT, type LaneBlock, type PanelLayout } from "./layout.ts";
import type { Mark } from "./marks.ts";
import { SLOW_COLOR } from "./palette.ts";

const LETTER_WIDTH = 5.6;

function bandOf({ blocks, racks }: PanelLayout, { of, target }: Mark): Band | undefined {
  return (of === "rack" ? racks : blocks).find(({ name }) => name === target);
}

/** Tints behind the bars: where and when a node was slow or down. */
export function drawTints(layout: PanelLayout): string {
  return layout.panel.marks
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
export function drawSilences(layout: PanelLayout): string {
  const { marks, story } = layout.panel;
  const hatched = story.silences.map(({ node, from, to, lost }) => {
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
export function drawMarks(layout: PanelLayout): string {
  const labels = new Labels();
  return layout.panel.marks
    .flatMap((mark) => {
      const band = bandOf(layout, mark);
      if (band === undefined) return [];
      const x = layout.x(mark.from);
      const words = title(`${mark.target}: ${mark.text}, from ${(mark.from / 1_000).toFixed(1)} s`);
      return [
        drawMark(mark, { band, x, to: layout.x(mark.to), words }),
        labels.draw(mark, band, x),
      ];
    })
    .join("\n");
}

function drawMark(
  { kind }: Mark,
  at: { readonly band: Band; readonly x: number; readonly to: number; readonly words: string },
): string {
  const { band, x, to, words } = at;
  if (kind === "blow") {
    const size = Math.min(6, Math.max(2, band.height / 2));
    const d = `M${x - size} ${band.y - size}h${2 * size}l${-size} ${1.6 * size}z`;
    return element("path", { d, fill: "#b3008f", stroke: "#ffffff", "stroke-width": 0.6 }, words);
  }
  const strip = Math.min(3.5, Math.max(0.8, band.height * 0.12));
  const fill = kind === "slow" ? SLOW_COLOR : "#222222";
  const box = { x, y: band.y - strip, width: Math.max(1, to - x), height: strip };
  return element("rect", { ...box, fill }, words);
}

/**
 * Labels are above their node's slots, where no bar is, and never overlap. A fault that recurs has
 * one label.
 */
class Labels {
  /** For each node, where its last label ends, and its text. */
  readonly #last = new Map<Band, { readonly to: number; readonly label: string }>();

  draw(mark: Mark, band: Band & Partial<LaneBlock>, x: number): string {
    const start = mark.kind === "blow" ? x + 9 : x + 2;
    const to = start + mark.text.length * LETTER_WIDTH + 8;
    const last = this.#last.get(band);
    if (band.hasLabels !== true || last?.label === mark.text || (last?.to ?? 0) > start) return "";
    this.#last.set(band, { to, label: mark.text });
    const y = band.y - LABEL_HEIGHT + 7;
    const look = { "font-size": 10, "font-weight": 600, fill: "#5b3f00" };
    return text(mark.text, { x: start, y, ...look });
  }
}
