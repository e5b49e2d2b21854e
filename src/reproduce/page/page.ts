import type { Drawing } from "../../report/chart/drawing.ts";
import { STYLE } from "../../report/chart/style.ts";
import { element, escaped } from "../../report/markup.ts";
import { PAPERS, type Paper, type ReportRow } from "../published.ts";
import { scoreLine, scoreOf } from "../score.ts";
import { type FigureContent, figureAnchor, figureSection } from "./figure.ts";
import { otherwiseSection, standingTable } from "./standing.ts";

/** The content of a page. */
export interface PageContent {
  readonly rows: readonly ReportRow[];
  readonly drawings: readonly PaperDrawing[];
  readonly notes: readonly PaperNote[];
  /** The titles of the experiments. */
  readonly titles: readonly PaperNote[];
  /** How the experiments were run: "20 runs, scale sample". */
  readonly how: string;
  /** The path of the papers' pages relative to this one: "../docs/papers". */
  readonly docs?: string;
}

export interface PaperDrawing {
  readonly paper: Paper;
  readonly drawing: Drawing;
}

export interface PaperNote {
  readonly paper: Paper;
  readonly figures: readonly string[];
  readonly text: string;
}

const TITLES: Readonly<Record<Paper, string>> = {
  late: "LATE: Improving MapReduce Performance in Heterogeneous Environments (OSDI 2008)",
  mantri: "Mantri: Reining in the Outliers in Map-Reduce Clusters (MSR-TR-2010-69)",
  esplash: "eSplash: Efficient Speculation in Heterogeneous Computing Systems (IPCCC 2016)",
  elephant: "An Eye on the Elephant in the Wild: Hadoop's Schedulers Under Failures (2015)",
};

/** A self-contained HTML file: the papers' scores, then figure by figure. */
export function pageOf(content: PageContent): string {
  const { how } = content;
  const rows = content.rows.filter(({ tag }) => tag !== "ours");
  const ours = content.rows.filter(({ tag }) => tag === "ours");
  const papers = PAPERS.filter((paper) => rows.some((row) => row.paper === paper));
  const body = [
    element("h1", {}, "The papers' experiments, run again"),
    element("p", { class: "score" }, escaped(scoreLine(scoreOf(rows)))),
    element("p", { class: "how" }, escaped(how)),
    standingTable(rows),
    otherwiseSection(rows, content.docs),
    ...papers.map((paper) => {
      const own = rows.filter((row) => row.paper === paper);
      return section({ id: paper, title: TITLES[paper], rows: own }, content);
    }),
    ours.length === 0 ? "" : section({ id: "ours", title: "Our own studies", rows: ours }, content),
  ];
  const head = [
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    element("title", {}, "Reproduction"),
    element("style", {}, STYLE),
  ];
  const lines = [
    "<!doctype html>",
    `<html lang="en"><head>${head.join("")}</head>`,
    `<body><main>${body.join("\n")}</main></body></html>`,
    "",
  ];
  return lines.join("\n");
}

interface Section {
  readonly id: string;
  readonly title: string;
  readonly rows: readonly ReportRow[];
}

/** The figures of a paper, or of our own studies, with links to each at the top. */
function section({ id, title, rows }: Section, content: PageContent): string {
  const about = "Measured around the papers' experiments. No paper prints them; none is judged.";
  const figures = new Map(rows.map((row) => [figureAnchor(row), row]));
  const links = [...figures].map(([anchor, { figure }]) =>
    element("a", { href: `#${anchor}` }, escaped(figure)),
  );
  return element(
    "section",
    { id },
    element("h2", {}, escaped(title)),
    id === "ours" ? element("p", { class: "how" }, about) : "",
    element("nav", {}, ...links),
    ...[...figures.values()].map((row) => figureSection(figureContent(row, rows, content))),
  );
}

/**
 * The content that belongs to the row's figure. The first figure of an experiment has the notes.
 */
function figureContent(
  { paper, figure }: ReportRow,
  rows: readonly ReportRow[],
  { drawings, titles, notes }: PageContent,
): FigureContent {
  const ofPaper = rows.filter((row) => row.paper === paper);
  const isOf = (one: PaperNote): boolean => one.paper === paper && one.figures.includes(figure);
  const homeOf = (note: PaperNote) => ofPaper.find((row) => note.figures.includes(row.figure));
  const own = notes.filter(isOf).map((note) => ({ text: note.text, home: homeOf(note) }));
  const homes = own.flatMap(({ home }) =>
    home === undefined || home.figure === figure ? [] : [home],
  );
  return {
    rows: ofPaper.filter((row) => row.figure === figure),
    drawings: drawings.flatMap((one) =>
      one.paper === paper && one.drawing.figure === figure ? [one.drawing] : [],
    ),
    heading: [`${paper} ${figure}`, ...titles.filter(isOf).map(({ text }) => text)].join(": "),
    notes: own.flatMap(({ text, home }) => (home?.figure === figure ? [text] : [])),
    notesAt: [...new Set(homes)],
  };
}
