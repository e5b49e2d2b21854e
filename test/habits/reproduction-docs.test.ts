import { readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import {
  FIGURE,
  OWN_COLUMNS,
  PUBLISHED_COLUMNS,
  type RowColumn,
  SOURCE,
} from "../../src/reproduce/columns.ts";
import {
  PAPERS,
  type Paper,
  type PublishedFigure,
  VERDICTS,
} from "../../src/reproduce/published.ts";
import { FIGURES, OURS, ROOT, read } from "./support/reproduction-data.ts";

const PAGES = readdirSync(new URL("docs/papers", ROOT))
  .filter((name) => name.endsWith(".md"))
  .map((name) => read(`docs/papers/${name}`));

/** The text between the paper's markers, in all pages. */
function blocksOf(paper: Paper): readonly string[] {
  const block = new RegExp(`<!-- reproduction:${paper} -->\n([^]*?)<!-- /reproduction -->`, "g");
  return PAGES.flatMap((text) => [...text.matchAll(block)].map(([, content = ""]) => content));
}

/** Each table has a line above it with the number of runs. */
const isFilled = (block: string): boolean => /^(1 run|Up to \d+ paired runs) /.test(block.trim());

/** A row of a generated table: its cells by the titles of their columns. */
type Row = ReadonlyMap<string, string>;

interface Table {
  readonly titles: readonly string[];
  readonly rows: readonly Row[];
}

function tablesIn(block: string): readonly Table[] {
  return block.split(/\n\n/).flatMap((part) => {
    const [head, , ...lines] = part.split("\n").filter((line) => line.startsWith("| "));
    if (head === undefined) return [];
    const titles = cellsOf(head);
    const rows = lines.map(
      (line) => new Map(cellsOf(line).map((cell, i) => [titles[i] ?? "", cell])),
    );
    return [{ titles, rows }];
  });
}

/** An escaped bar belongs to the cell. */
const cellsOf = (line: string): readonly string[] =>
  line
    .slice(2, -2)
    .split(/ \| /)
    .map((cell) => cell.replaceAll("\\|", "|").trim());

const titlesOf = (columns: readonly RowColumn[]): readonly string[] =>
  [FIGURE, ...columns].map(({ title }) => title);

const keysOf = (rows: readonly Row[]): readonly string[] =>
  rows.map((row) => ["figure", "setting", "metric"].map((title) => row.get(title)).join(" | "));

const linesOf = (list: readonly PublishedFigure[], paper: Paper): readonly PublishedFigure[] =>
  list.filter((line) => line.paper === paper);

const listed = (lines: readonly PublishedFigure[]): readonly string[] =>
  lines.map(({ figure, setting, metric }) => `${figure} | ${setting} | ${metric}`);

describe("the tables in docs/papers", () => {
  test("each paper has one, and no other text is marked", () => {
    expect(PAPERS.map((paper) => [paper, blocksOf(paper).length])).toEqual(
      PAPERS.map((paper) => [paper, 1]),
    );
    const marks = PAGES.join("\n").match(/<!--\s*\/?\s*reproduc[^>]*-->/gi) ?? [];
    expect(marks).toHaveLength(2 * PAPERS.length);
  });

  test.for(PAPERS)("%s: they equal the lists, line for line", (paper, { skip }) => {
    // The tables are filled together: all of them or, during a change, none.
    const filled = PAPERS.flatMap(blocksOf).some(isFilled);
    skip(!filled, "no table is filled: npx broomwagon reproduce all --docs docs/papers");
    const [published, own, ...others] = blocksOf(paper).flatMap(tablesIn);
    expect(others).toEqual([]);
    expect(published?.titles).toEqual(titlesOf([...PUBLISHED_COLUMNS, SOURCE]));
    expect(keysOf(published?.rows ?? [])).toEqual(listed(linesOf(FIGURES, paper)));
    expect(own?.titles ?? titlesOf(OWN_COLUMNS)).toEqual(titlesOf(OWN_COLUMNS));
    expect(keysOf(own?.rows ?? [])).toEqual(listed(linesOf(OURS, paper)));
    for (const [index, { published: value, tag }] of linesOf(FIGURES, paper).entries()) {
      const row = published?.rows[index];
      expect(row?.get("published")).toBe(String(value));
      expect(row?.get("tag")).toBe(tag);
      expect(VERDICTS).toContain(row?.get("verdict"));
    }
  });

  test("the README has their totals", ({ skip }) => {
    skip(!PAPERS.flatMap(blocksOf).every(isFilled), "not all tables are filled");
    const verdicts = PAPERS.flatMap(blocksOf)
      .flatMap((block) => tablesIn(block).slice(0, 1))
      .flatMap(({ rows }) => rows.map((row) => [row.get("tag"), row.get("verdict")].join()));
    const count = (...which: readonly string[]): number =>
      verdicts.filter((verdict) => which.includes(verdict)).length;
    const orderings = verdicts.filter((verdict) => verdict.startsWith("ordering,")).length;
    const ratios = verdicts.filter((verdict) => verdict.startsWith("ratio,")).length;
    const score = [
      `orderings ${count("ordering,holds")} of ${orderings}`,
      `ratios ${count("ratio,within")} of ${ratios} within`,
      `${count("ordering,contradicted", "ratio,contradicted")} contradicted`,
      `${count("ordering,undecided", "ratio,undecided")} undecided`,
    ];
    expect(read("README.md")).toContain(`\`${score.join(", ")}\``);
  });

  test.for(PAPERS)("%s: every line is measured, or its figure's remarks say why not", (paper) => {
    const blocks = blocksOf(paper);
    expect(blocks.join("\n")).not.toContain("no experiment measures it");
    for (const row of blocks.flatMap(tablesIn).flatMap(({ rows }) => rows)) {
      if (row.get("measured") !== "-") continue;
      const why = new RegExp(`^- ${row.get("figure")}: .*it could not be computed`, "m");
      expect(blocks.join("\n")).toMatch(why);
    }
  });
});
