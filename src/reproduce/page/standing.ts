import { element, escaped } from "../../report/markup.ts";
import { FIGURE, PUBLISHED_COLUMNS, type RowColumn } from "../columns.ts";
import { PAPERS, type Paper, type ReportRow, type Verdict } from "../published.ts";
import {
  GOAL,
  otherwise,
  type PaperStanding,
  type Score,
  type ScoreTally,
  standings,
} from "../score.ts";
import { rowsTable, slug } from "./figure.ts";

/** A line for each paper: the verdicts of its judged rows, in numbers and as a strip. */
export function standingTable(rows: readonly ReportRow[]): string {
  const lines = standings(rows).map(standingLine);
  if (lines.length === 0) return "";
  const groups = element(
    "tr",
    { class: "groups" },
    element("th", { colspan: 2 }, ""),
    element("th", { colspan: 3 }, "orderings"),
    element("th", { colspan: 4 }, "ratios"),
  );
  const titles = ["paper", "", "hold", "contradicted", "undecided"];
  const more = ["within", "same direction", "contradicted", "undecided"];
  const head = [...titles, ...more].map((title) => element("th", {}, title));
  const table = element(
    "table",
    { class: "standing" },
    groups,
    element("tr", {}, ...head),
    ...lines,
  );
  return [
    element("div", { class: "scroll" }, table),
    element("p", { class: "key" }, key()),
    element("p", { class: "how" }, GOAL),
  ].join("");
}

function standingLine(standing: PaperStanding): string {
  const { paper, orderings, ratios } = standing;
  const name = paper === "all" ? paper : element("a", { href: `#${paper}` }, paper);
  const counts = [
    `${orderings.good} of ${orderings.of}`,
    orderings.contradicted,
    orderings.undecided,
    `${ratios.good} of ${ratios.of}`,
    ratios.sameDirection,
    ratios.contradicted,
    ratios.undecided,
  ];
  return element(
    "tr",
    {},
    element("td", {}, name),
    element("td", { class: "strip" }, element("div", {}, stripOf(standing))),
    ...counts.map((count) => element("td", {}, String(count))),
  );
}

interface Part {
  readonly verdict: Verdict;
  readonly name: string;
  readonly count: (tally: ScoreTally) => number;
}

/** The parts of a strip of verdicts, best first. */
const PARTS: readonly Part[] = [
  { verdict: "within", name: "holds or within", count: ({ good }) => good },
  { verdict: "same direction", name: "same direction", count: (tally) => tally.sameDirection },
  { verdict: "undecided", name: "undecided", count: ({ undecided }) => undecided },
  { verdict: "contradicted", name: "contradicted", count: (tally) => tally.contradicted },
];

function stripOf({ orderings, ratios }: Score): string {
  return PARTS.flatMap(({ verdict, name, count }) => {
    const rows = count(orderings) + count(ratios);
    const share = { style: `flex:${rows}`, title: `${rows} ${name}` };
    return rows === 0 ? [] : [element("i", { class: slug(verdict), ...share })];
  }).join("");
}

const key = (): string =>
  PARTS.map(({ verdict, name }) =>
    element("span", {}, element("i", { class: slug(verdict) }), escaped(name)),
  ).join("");

const COLUMNS: readonly RowColumn[] = [
  FIGURE,
  ...PUBLISHED_COLUMNS.filter(({ title }) => title !== "tag" && title !== "runs"),
];

/** The rows that did not come out as published, with links to the reasons. */
export function otherwiseSection(rows: readonly ReportRow[], docs: string | undefined): string {
  const papers = PAPERS.flatMap((paper) => {
    const own = otherwise(rows.filter((row) => row.paper === paper));
    if (own.length === 0) return [];
    const contradicted = own.filter(({ verdict }) => verdict === "contradicted").length;
    const counts = [`${contradicted} contradicted`, `${own.length - contradicted} same direction`];
    return [
      element(
        "details",
        {},
        element("summary", {}, `${paper}: ${counts.join(", ")}`),
        element("p", { class: "how" }, "What we think the reasons are: ", reasonsOf(paper, docs)),
        rowsTable(own, COLUMNS),
      ),
    ];
  });
  if (papers.length === 0) return "";
  const title = element("h2", {}, "What does not come out");
  return element("section", { id: "otherwise" }, title, ...papers);
}

function reasonsOf(paper: Paper, docs: string | undefined): string {
  const name = `docs/papers/${paper}.md`;
  return docs === undefined ? name : element("a", { href: `${docs}/${paper}.md` }, name);
}
