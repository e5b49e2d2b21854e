import { expect, test } from "vitest";
import { numberText } from "../../reproduce/number-text.ts";
import type { ReportRow } from "../../reproduce/published.ts";
import { csvText } from "./csv.ts";
import { filledText } from "./fill-docs.ts";
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
const EXTENT = { runs: 20, scale: "sample" } as const;

test("the CSV has a header and quotes what must be quoted", () => {
  const [head, line, end] = csvText([{ ...ROW, measured: null }]).split("\r\n");
  expect(head).toBe("paper,figure,setting,metric,tag,published,measured,low,high,verdict");
  expect(line).toBe('late,fig4,"LATE, native","the ""speedup""",ratio,1.58,,1.4,1.6,within');
  expect(end).toBe("");
});

test("the tables are one for each figure of each paper", () => {
  const text = tablesText([ROW, { ...ROW, paper: "mantri" }, { ...ROW, figure: "fig5" }], []);
  const headings = text.split("\n").filter((line) => /^\w+ fig\d$/.test(line));
  expect(headings).toEqual(["late fig4", "mantri fig4", "late fig5"]);
  expect(text).toMatch(
    /LATE, native +the "speedup" +1\.58 +1\.501 +1\.4 to 1\.6 +20 +ratio +within/,
  );
});

test("a marked table in a text is filled, what is around it stays", () => {
  const text = "a\n<!-- reproduction:late -->\nold\n<!-- /reproduction -->\nb\n";
  const filled = filledText(text, [{ ...ROW, setting: "a|b" }], EXTENT);
  expect(filled.split("\n")).toEqual([
    "a",
    "<!-- reproduction:late -->",
    extentText(EXTENT),
    "",
    "| figure | setting | metric | published | measured | 95 % | tag | verdict |",
    "| --- | --- | --- | --- | --- | --- | --- | --- |",
    '| fig4 | a\\|b | the "speedup" | 1.58 | 1.501 | 1.4 to 1.6 | ratio | within |',
    "<!-- /reproduction -->",
    "b",
    "",
  ]);
  expect(filledText(filled, [{ ...ROW, setting: "a|b" }], EXTENT)).toBe(filled);
});

test("remarks stand under the table of their figure, and on the page with its name", () => {
  const noted = { ...ROW, remarks: ["a bound"] };
  expect(tablesText([noted, { ...ROW, figure: "fig5" }], [])).toMatch(
    /within\n- LATE, native, the "speedup": a bound\n\nlate fig5/,
  );
  const marks = "<!-- reproduction:late -->\n<!-- /reproduction -->";
  expect(filledText(marks, [noted], EXTENT)).toMatch(
    /within \|\n\n- fig4, LATE, native, the "speedup": a bound\n<!-- \/reproduction/,
  );
});

test("how it was run says how many runs there are at most, and that one decides nothing", () => {
  expect(extentText(EXTENT)).toMatch(/^Up to 20 paired runs of each setting, scale sample/);
  expect(extentText({ runs: 1, scale: "full" })).toMatch(/^1 run .* One run decides nothing\.$/);
});

test("a text without marks, or of a paper without rows, stays as it is", () => {
  const text = "<!-- reproduction:mantri -->\nold\n<!-- /reproduction -->";
  expect(filledText(text, [ROW], EXTENT)).toBe(text);
  expect(filledText("nothing", [ROW], EXTENT)).toBe("nothing");
});

test("numbers have four digits, and no powers of ten", () => {
  expect([0.000123456, 0.53333, 61.8, 1094.4, 123456.7, 5].map(numberText)).toEqual([
    "0.0001235",
    "0.5333",
    "61.8",
    "1094",
    "123457",
    "5",
  ]);
});
