import { describe, expect, test } from "vitest";
import { parseFigures } from "./parse-figures.ts";
import { remarksOn } from "./remarks.ts";
import { reportRows } from "./rows.ts";

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
const NOBODY = "no experiment measures it";

const figures = (...lines: readonly object[]) =>
  parseFigures(JSON.parse(JSON.stringify(lines)), "figures.json");

const asked = { runs: 3 };

describe("remarks", () => {
  test("are printed once each, with the lines that they concern", () => {
    const noted = { ...LINE, note: "a bound" };
    const metrics = ["a", "b", "c", "d", "e"];
    const list = figures(...metrics.map((metric) => ({ ...noted, metric })), LINE);
    expect(remarksOn(reportRows(list, new Map(), asked))).toEqual([
      "LATE over native, a; LATE over native, b; LATE over native, c; 2 more: a bound",
      NOBODY,
    ]);
  });

  test("on all lines of a table need no names", () => {
    const list = figures(
      { ...LINE, note: "a bound" },
      { ...LINE, metric: "wasted", note: "a bound" },
    );
    expect(remarksOn(reportRows(list, new Map(), asked))).toEqual(["a bound", NOBODY]);
  });
});
