import type { Drawing } from "../drawing.ts";
import { intervalText, numberText, publishedText, runsText } from "../number-text.ts";
import { PAPERS, type Paper, type ReportRow } from "../published.ts";
import { remarksOn, scoreLine, scoreOf } from "../rows.ts";
import { draw } from "./draw.ts";
import { element, escaped } from "./markup.ts";
import { STYLE } from "./style.ts";

/** What a page shows. */
export interface PageContent {
  readonly rows: readonly ReportRow[];
  readonly drawings: readonly PaperDrawing[];
  readonly notes: readonly PaperNote[];
  /** What the experiments are called. */
  readonly titles: readonly PaperNote[];
  /** How it was run: "20 runs, scale sample". */
  readonly how: string;
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

/** One file that needs nothing else: rows, drawings and a summary on top. */
export function pageOf(content: PageContent): string {
  const { rows, how } = content;
  const papers = PAPERS.filter((paper) => rows.some((row) => row.paper === paper));
  const body = [
    element("h1", {}, "The papers' experiments, run again"),
    element("p", { class: "score" }, escaped(scoreLine(scoreOf(rows)))),
    element("p", { class: "how" }, escaped(how)),
    summary(rows, papers),
    ...papers.map((paper) => paperSection(paper, content)),
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

/** A line for each paper: how its judged rows came out, as a bar and in numbers. */
function summary(rows: readonly ReportRow[], papers: readonly Paper[]): string {
  const titles = ["paper", "orderings", "ratios within", "contradicted", "undecided", ""];
  const lines = papers.map((paper) => {
    const own = rows.filter((row) => row.paper === paper);
    const { orderings, ratios, contradicted, undecided } = scoreOf(own);
    const cells = [
      element("a", { href: `#${paper}` }, paper),
      `${orderings.hold} of ${orderings.of}`,
      `${ratios.within} of ${ratios.of}`,
      String(contradicted),
      String(undecided),
    ];
    const bar = element("td", { class: "strip" }, strip(own));
    return element("tr", {}, ...cells.map((cell) => element("td", {}, cell)), bar);
  });
  const head = element("tr", {}, ...titles.map((title) => element("th", {}, title)));
  const table = element("table", { class: "summary" }, head, ...lines);
  return element("div", { class: "scroll" }, table);
}

const GOOD: readonly ReportRow["verdict"][] = ["holds", "within"];
const STRIP: readonly (readonly ReportRow["verdict"][])[] = [
  GOOD,
  ["same direction"],
  ["undecided"],
  ["contradicted"],
];

function strip(rows: readonly ReportRow[]): string {
  return STRIP.flatMap((verdicts) => {
    const judged = rows.filter(({ tag }) => tag === "ordering" || tag === "ratio");
    const count = judged.filter(({ verdict }) => verdicts.includes(verdict)).length;
    if (count === 0) return [];
    const verdict = verdicts[0] ?? "shown";
    const share = { style: `flex:${count}`, title: `${count} ${verdicts.join(" or ")}` };
    return [element("i", { class: slug(verdict), ...share })];
  }).join("");
}

function paperSection(paper: Paper, { rows, drawings, notes, titles }: PageContent): string {
  const own = rows.filter((row) => row.paper === paper);
  const figures = [...new Set(own.map(({ figure }) => figure))];
  const of = (texts: readonly PaperNote[], figure: string) =>
    texts.filter((text) => text.paper === paper && text.figures.includes(figure));
  return element(
    "section",
    { id: paper },
    element("h2", {}, escaped(TITLES[paper])),
    ...figures.map((figure) =>
      figureSection(
        own.filter((row) => row.figure === figure),
        {
          drawings: drawings.filter((one) => one.paper === paper && one.drawing.figure === figure),
          notes: of(notes, figure),
          heading: [`${paper} ${figure}`, ...of(titles, figure).map(({ text }) => text)].join(": "),
        },
      ),
    ),
  );
}

function figureSection(
  rows: readonly ReportRow[],
  {
    drawings,
    notes,
    heading,
  }: {
    readonly drawings: readonly PaperDrawing[];
    readonly notes: readonly PaperNote[];
    readonly heading: string;
  },
): string {
  const pictures = drawings.map(({ drawing }) =>
    element(
      "figure",
      { class: "scroll" },
      draw(drawing),
      element("figcaption", {}, escaped(drawing.title)),
    ),
  );
  return element(
    "article",
    {},
    element("h3", {}, escaped(heading)),
    element("div", { class: "pictures" }, ...pictures),
    rowsTable(rows),
    remarkList(rows),
    ...notes.map(({ text }) => element("p", { class: "note" }, escaped(text))),
  );
}

const TITLES_OF_ROWS = [
  "setting",
  "metric",
  "published",
  "measured",
  "95 % interval",
  "runs",
  "tag",
  "verdict",
  "source",
];

function rowsTable(rows: readonly ReportRow[]): string {
  const head = element("tr", {}, ...TITLES_OF_ROWS.map((title) => element("th", {}, title)));
  const lines = rows.map((row) => {
    const number = typeof row.published === "number" ? "number" : "words";
    const verdict = element("span", { class: `verdict ${slug(row.verdict)}` }, row.verdict);
    const fitted = row.tag === "input" ? element("span", { class: "fitted" }, ", fitted") : "";
    return element(
      "tr",
      {},
      element("td", {}, escaped(row.setting)),
      element("td", {}, escaped(row.metric)),
      element("td", { class: number }, escaped(publishedText(row.published))),
      element("td", { class: "number" }, row.measured === null ? "-" : numberText(row.measured)),
      element("td", { class: "number" }, intervalText(row)),
      element("td", { class: "number" }, runsText(row)),
      element("td", {}, row.tag),
      element("td", {}, verdict + fitted),
      element("td", { class: "source" }, escaped(row.source)),
    );
  });
  return element("div", { class: "scroll" }, element("table", {}, head, ...lines));
}

/** Why lines are tagged and read as they are. */
function remarkList(rows: readonly ReportRow[]): string {
  const items = remarksOn(rows).map((text) => element("li", {}, escaped(text)));
  return items.length === 0 ? "" : element("ul", { class: "note" }, ...items);
}

const slug = (verdict: string): string => verdict.replaceAll(" ", "-");
