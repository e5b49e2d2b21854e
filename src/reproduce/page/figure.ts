import { draw } from "../../report/chart/draw.ts";
import type { Drawing } from "../../report/chart/drawing.ts";
import { element, escaped } from "../../report/markup.ts";
import {
  FIGURE,
  OWN_COLUMNS,
  PUBLISHED,
  PUBLISHED_COLUMNS,
  type RowColumn,
  SOURCE,
  TAG,
  VERDICT,
} from "../columns.ts";
import type { ReportRow, Verdict } from "../published.ts";
import { remarksOn } from "../remarks.ts";

/** One figure of one paper. */
export interface FigureContent {
  readonly rows: readonly ReportRow[];
  readonly drawings: readonly Drawing[];
  readonly heading: string;
  readonly notes: readonly string[];
  /** The rows of the other figures of the same experiment, where the other notes are. */
  readonly notesAt: readonly ReportRow[];
}

/** The anchor of a row's figure on the page. */
export const figureAnchor = ({ paper, figure }: ReportRow): string =>
  `${paper}-${figure.replaceAll(".", "-")}`;

/** Pictures, the table, and the notes of a figure. */
export function figureSection(content: FigureContent): string {
  const { rows, drawings, heading, notes, notesAt } = content;
  const pictures = drawings.map((drawing) =>
    element(
      "figure",
      { class: "scroll" },
      draw(drawing),
      element("figcaption", {}, escaped(drawing.title)),
    ),
  );
  const [first] = rows;
  const isOurs = first?.tag === "ours";
  return element(
    "article",
    first === undefined ? {} : { id: figureAnchor(first) },
    element("h3", {}, escaped(heading)),
    element("div", { class: "pictures" }, ...pictures),
    rowsTable(rows, isOurs ? OWN_COLUMNS : [...PUBLISHED_COLUMNS, SOURCE]),
    remarkList(rows),
    ...notes.map((text) => element("p", { class: "note" }, escaped(text))),
    notesAt.length === 0
      ? ""
      : element("p", { class: "note" }, `Notes: see ${notesAt.map(figureLink).join(", ")}.`),
  );
}

const figureLink = (row: ReportRow): string =>
  element("a", { href: `#${figureAnchor(row)}` }, escaped(row.figure));

/** The table, in a box of its own that scrolls on narrow screens. */
export function rowsTable(rows: readonly ReportRow[], columns: readonly RowColumn[]): string {
  const head = columns.map(({ title, align }) =>
    element("th", align === "right" ? { class: "number" } : {}, escaped(title)),
  );
  const lines = rows.map((row) => element("tr", {}, ...columns.map((column) => cell(row, column))));
  const table = element("table", {}, element("tr", {}, ...head), ...lines);
  return element("div", { class: "scroll" }, table);
}

function cell(row: ReportRow, column: RowColumn): string {
  if (column === VERDICT) return element("td", {}, verdictMark(row));
  if (column === FIGURE) return element("td", { class: "short" }, figureLink(row));
  if (column === SOURCE) return element("td", { class: "source" }, escaped(row.source));
  if (column === TAG) return element("td", { class: "short" }, row.tag);
  const isWords = column === PUBLISHED && typeof row.published === "string";
  const kind = isWords ? "words" : column.align === "right" ? "number" : undefined;
  return element("td", kind === undefined ? {} : { class: kind }, escaped(column.of(row)));
}

/** The verdict in words and in its colour; a row to which a model was fitted says so. */
function verdictMark({ verdict, tag }: ReportRow): string {
  const fitted = tag === "input" ? element("span", { class: "fitted" }, ", fitted") : "";
  return element("span", { class: `verdict ${slug(verdict)}` }, verdict) + fitted;
}

/** Why lines are tagged and read as they are. */
function remarkList(rows: readonly ReportRow[]): string {
  const items = remarksOn(rows).map((text) => element("li", {}, escaped(text)));
  return items.length === 0 ? "" : element("ul", { class: "note" }, ...items);
}

/** The class of a verdict's colour. */
export const slug = (verdict: Verdict): string => verdict.replaceAll(" ", "-");
