import { accessSync, constants, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { InputError } from "../../base/input-error.ts";
import {
  FIGURE,
  OWN_COLUMNS,
  OWN_STUDIES,
  PUBLISHED_COLUMNS,
  type RowColumn,
  SOURCE,
} from "../../reproduce/columns.ts";
import type { Extent } from "../../reproduce/experiment.ts";
import { PAPERS, type Paper, type ReportRow } from "../../reproduce/published.ts";
import { remarksOn } from "../../reproduce/remarks.ts";
import { scoreLine, scoreOf } from "../../reproduce/score.ts";
import { writing } from "../files.ts";
import { extentText } from "./tables-text.ts";

const begin = (paper: Paper): string => `<!-- reproduction:${paper} -->`;
const END = "<!-- /reproduction -->";

/**
 * Checks before minutes of work that the tables can be filled: a table lists a whole paper, and its
 * file must be writable.
 */
export function checkDocs(folder: string, figure: string | undefined): void {
  if (figure !== undefined) {
    const expected = "expected no --figure: a page's table has all figures of its paper";
    throw new InputError("bad-flag", "--docs", expected);
  }
  for (const path of pagesIn(folder)) writing(path, () => accessSync(path, constants.W_OK));
}

function pagesIn(folder: string): readonly string[] {
  let names: readonly string[];
  try {
    names = readdirSync(folder);
  } catch {
    throw new InputError("bad-flag", folder, "expected a directory of Markdown files");
  }
  return names.filter((name) => name.endsWith(".md")).map((name) => join(folder, name));
}

/** Fills every marked table of the folder's Markdown files whose paper is among the rows. */
export function fillDocs(folder: string, rows: readonly ReportRow[], extent: Extent): void {
  for (const path of pagesIn(folder)) {
    const text = readFileSync(path, "utf8");
    const filled = filledText(text, rows, extent);
    if (filled !== text) writing(path, () => writeFileSync(path, filled));
  }
}

/** The text with a table between the markers of each paper that has rows. */
export function filledText(text: string, rows: readonly ReportRow[], extent: Extent): string {
  return PAPERS.reduce((before, paper) => {
    const all = rows.filter((row) => row.paper === paper);
    const published = all.filter(({ tag }) => tag !== "ours");
    const ours = all.filter(({ tag }) => tag === "ours");
    const from = before.indexOf(begin(paper));
    const to = before.indexOf(END, from);
    if (published.length === 0 || from < 0 || to < 0) return before;
    const head = before.slice(0, from + begin(paper).length);
    const parts = [
      extentText(extent),
      `${paper}: ${scoreLine(scoreOf(published))}.`,
      ...tableParts(published, [...PUBLISHED_COLUMNS, SOURCE]),
      ...(ours.length > 0 ? [`${OWN_STUDIES}.`, ...tableParts(ours, OWN_COLUMNS)] : []),
    ];
    return `${head}\n${parts.join("\n\n")}\n${before.slice(to)}`;
  }, text);
}

/** A table, with the remarks on its lines below. */
function tableParts(rows: readonly ReportRow[], columns: readonly RowColumn[]): readonly string[] {
  const all = [FIGURE, ...columns];
  const lines = rows.map((row) => all.map(({ of }) => of(row)));
  const titles = all.map(({ title }) => title);
  const table = [titles, titles.map(() => "---"), ...lines].map(markdownLine).join("\n");
  return [table, ...remarkList(rows)];
}

const markdownLine = (cells: readonly string[]): string =>
  `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;

/** The reasons for the tags and readings of lines, figure by figure. */
function remarkList(rows: readonly ReportRow[]): readonly string[] {
  const figures = [...new Set(rows.map(({ figure }) => figure))];
  const remarks = figures.flatMap((figure) =>
    remarksOn(rows.filter((row) => row.figure === figure)).map((text) => `- ${figure}: ${text}`),
  );
  return remarks.length === 0 ? [] : [remarks.join("\n")];
}
