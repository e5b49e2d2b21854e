import { describe, expect, test } from "vitest";
import { figureKey, parseFigures, parseOwnStudies } from "./parse-figures.ts";
import { reportRows } from "./rows.ts";
import { otherwise, scoreLine, scoreOf, standings } from "./score.ts";

const LINE = {
  paper: "late",
  figure: "fig4",
  setting: "LATE over native",
  metric: "speedup",
  tag: "ratio",
  gain: "speedup",
  published: 1.58,
  source: "5.2.2",
};
const ORDER = { ...LINE, tag: "ordering", gain: undefined, claims: "above 0" };

const figures = (...lines: readonly object[]) =>
  parseFigures(JSON.parse(JSON.stringify(lines)), "figures.json");

const OWN = {
  paper: "late",
  figure: "parameters",
  setting: "cap 0.5",
  metric: "speedup",
  published: "left open",
  source: "4",
};

describe("a score", () => {
  const metrics = ["a", "b", "c", "d"];
  const list = [
    ...figures(
      ...metrics.map((metric) => ({ ...LINE, metric })),
      ...metrics.map((metric) => ({ ...ORDER, paper: "mantri", metric })),
      { ...LINE, metric: "e", tag: "shape", gain: undefined },
    ),
    ...parseOwnStudies([OWN], "ours.json"),
  ];
  const values = [1.6, 1.1, 0.9, undefined, 3, 3, -1, undefined, 7, 7];
  const pairs = list.flatMap((line, i) => {
    const { figure, setting, metric } = line;
    const value = values[i];
    if (value === undefined) return [];
    const found = { figure, setting, metric, value, low: value, high: value, runs: 3 };
    return [[figureKey(line), found] as const];
  });
  const rows = reportRows(list, new Map(pairs), { runs: 3 });

  test("is one line, of judged rows only", () => {
    expect(scoreLine(scoreOf(rows))).toBe(
      "orderings 2 of 4, ratios 1 of 4 within, 2 contradicted, 2 undecided",
    );
  });

  test("exists for each paper and for all, and has every judged row in one column", () => {
    const none = { of: 0, good: 0, sameDirection: 0, contradicted: 0, undecided: 0 };
    const ratios = { of: 4, good: 1, sameDirection: 1, contradicted: 1, undecided: 1 };
    const orderings = { of: 4, good: 2, sameDirection: 0, contradicted: 1, undecided: 1 };
    expect(standings(rows)).toEqual([
      { paper: "late", orderings: none, ratios },
      { paper: "mantri", orderings, ratios: none },
      { paper: "all", orderings, ratios },
    ]);
    expect(standings(rows.slice(0, 4)).map(({ paper }) => paper)).toEqual(["late"]);
  });

  test("failures are listed, contradictions first", () => {
    expect(otherwise(rows).map(({ paper, metric, verdict }) => [paper, metric, verdict])).toEqual([
      ["late", "c", "contradicted"],
      ["mantri", "c", "contradicted"],
      ["late", "b", "same direction"],
    ]);
  });
});
