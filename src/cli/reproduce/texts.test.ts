import { expect, test } from "vitest";
import { number } from "../../report/quantity.ts";
import type { ReportRow } from "../../reproduce/published.ts";
import { GOAL } from "../../reproduce/score.ts";
import { filledText } from "./fill-docs.ts";
import { csvText } from "./outputs.ts";
import { extentText, tablesText } from "./tables-text.ts";

const ROW: ReportRow = {
  paper: "late",
  figure: "fig4",
  setting: "LATE, native",
  metric: 'the "speedup"',
  tag: "ratio",
  published: 1.58,
  measured: 1.50123,
  low: 1.4,
  high: 1.6,
  verdict: "within",
  source: "5.2.2",
  runs: 20,
  remarks: [],
};
const MARKS = "<!-- reproduction:late -->\n<!-- /reproduction -->";
const TITLES = [
  ...["figure", "setting", "metric", "published", "measured", "95 % interval", "runs"],
  ...["tag", "verdict", "source"],
];
const EXTENT = { runs: 20, scale: "sample" } as const;

test("the CSV has a header, and quotes cells that need quotes", () => {
  const [head, line, end] = csvText([{ ...ROW, measured: null }]).split("\r\n");
  expect(head).toBe("paper,figure,setting,metric,tag,published,measured,low,high,verdict");
  expect(line).toBe('late,fig4,"LATE, native","the ""speedup""",ratio,1.58,,1.4,1.6,within');
  expect(end).toBe("");
});

test("there is one table for each figure of each paper", () => {
  const text = tablesText([ROW, { ...ROW, paper: "mantri" }, { ...ROW, figure: "fig5" }], []);
  const headings = text.split("\n").filter((line) => /^\w+ fig\d$/.test(line));
  expect(headings).toEqual(["late fig4", "mantri fig4", "late fig5"]);
  expect(text).toMatch(
    /LATE, native +the "speedup" +1\.58 +1\.501 +1\.4 to 1\.6 +20 +ratio +within/,
  );
});

test("a marked table in a text is filled, and the text around it stays", () => {
  const text = "a\n<!-- reproduction:late -->\nold\n<!-- /reproduction -->\nb\n";
  const filled = filledText(text, [{ ...ROW, setting: "a|b" }], EXTENT);
  expect(filled.split("\n")).toEqual([
    "a",
    "<!-- reproduction:late -->",
    extentText(EXTENT),
    "",
    "late: ratios 1 of 1 within, 0 contradicted, 0 undecided.",
    "",
    `| ${TITLES.join(" | ")} |`,
    "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |",
    '| fig4 | a\\|b | the "speedup" | 1.58 | 1.501 | 1.4 to 1.6 | 20 | ratio | within | 5.2.2 |',
    "<!-- /reproduction -->",
    "b",
    "",
  ]);
  expect(filledText(filled, [{ ...ROW, setting: "a|b" }], EXTENT)).toBe(filled);
});

test("remarks stand under their figure's table, and on the page with the figure's name", () => {
  const noted = { ...ROW, remarks: ["a bound"] };
  const other = { ...ROW, setting: "LATE, none" };
  expect(tablesText([noted, other, { ...ROW, figure: "fig5" }], [])).toMatch(
    /within\n- LATE, native, the "speedup": a bound\n\nlate fig5/,
  );
  expect(filledText(MARKS, [noted, other], EXTENT)).toMatch(
    /5\.2\.2 \|\n\n- fig4: LATE, native, the "speedup": a bound\n<!-- \/reproduction/,
  );
  expect(filledText(MARKS, [noted], EXTENT)).toMatch(/5\.2\.2 \|\n\n- fig4: a bound\n<!--/);
});

const OWN: ReportRow = {
  ...ROW,
  figure: "parameters",
  tag: "ours",
  published: "left open",
  verdict: "shown",
  remarks: ["the paper (4): left open"],
};

test("our own studies follow the papers' figures, without verdicts", () => {
  const text = tablesText([ROW, OWN], []);
  expect(text).toMatch(
    /late fig4[\s\S]*\n\nOur own studies[\s\S]*late parameters\nsetting +metric +measured/,
  );
  expect(text.split("late parameters")[1]).not.toMatch(/shown|published/);
  const filled = filledText(MARKS, [ROW, OWN], EXTENT);
  expect(filled).toMatch(/5\.2\.2 \|\n\nOur own studies[\s\S]*\| parameters \| LATE, native \|/);
  expect(filled).toMatch(/- parameters: the paper \(4\): left open\n<!-- \/reproduction/);
  expect(csvText([ROW, OWN])).toMatch(/,within\r\nlate,parameters,.*,ours,left open,1\.50123,/);
});

test("the tables end with each paper's distance from the goal, without our own studies", () => {
  const lines = tablesText([ROW, { ...ROW, paper: "mantri", verdict: "contradicted" }, OWN], [])
    .split("\n")
    .slice(-6);
  expect(lines[0]).toMatch(/^paper +orderings hold +contradicted +undecided +ratios within/);
  expect(lines[2]).toMatch(/^late +- +0 +0 +1 of 1 +0 +0 +0$/);
  expect(lines[3]).toMatch(/^mantri +- +0 +0 +0 of 1 +0 +1 +0$/);
  expect(lines[4]).toMatch(/^all +- +0 +0 +1 of 2 +0 +1 +0$/);
  expect(lines[5]).toBe(GOAL);
});

test("the heading gives the most runs, and says that one run decides nothing", () => {
  expect(extentText(EXTENT)).toMatch(/^Up to 20 paired runs of each setting, scale sample/);
  expect(extentText({ runs: 1, scale: "full" })).toMatch(/^1 run .* One run decides nothing\.$/);
});

test("a text without marks, or of a paper without rows, stays as it is", () => {
  const text = "<!-- reproduction:mantri -->\nold\n<!-- /reproduction -->";
  expect(filledText(text, [ROW], EXTENT)).toBe(text);
  expect(filledText("nothing", [ROW], EXTENT)).toBe("nothing");
});

test("numbers have four digits, and no powers of ten", () => {
  expect([0.000123456, 0.53333, 61.8, 1094.4, 123456.7, 5].map(number)).toEqual([
    "0.0001235",
    "0.5333",
    "61.8",
    "1094",
    "123457",
    "5",
  ]);
});
