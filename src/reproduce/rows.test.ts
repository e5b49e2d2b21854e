import { describe, expect, test } from "vitest";
import { figureKey, parseFigures, parseOwnStudies } from "./parse-figures.ts";
import { reportRows, resultRow } from "./rows.ts";

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

const NOBODY = "no experiment measures it";

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

describe("rows", () => {
  const measured = (value: number, runs = 3) => {
    const { figure, setting, metric } = LINE;
    return { figure, setting, metric, value, low: value, high: value, runs };
  };
  const key = figureKey(LINE);
  const asked = { runs: 3 };

  test("are in the order of the list, with measured values beside published ones", () => {
    const list = figures({ ...LINE, figure: "fig5" }, LINE);
    const rows = reportRows(list, new Map([[key, measured(1.6)]]), asked);
    expect(rows.map(({ measured: value, verdict }) => [value, verdict])).toEqual([
      [null, "undecided"],
      [1.6, "within"],
    ]);
    expect(rows.map(({ source, runs }) => [source, runs])).toEqual([
      ["5.2.2", null],
      ["5.2.2", 3],
    ]);
    expect(rows.map((row) => Object.keys(resultRow(row)))[0]).toEqual(
      "paper figure setting metric tag published measured low high verdict".split(" "),
    );
  });

  test("a measurement without a number differs from a missing measurement", () => {
    const list = figures(LINE, { ...LINE, metric: "wasted" });
    const rows = reportRows(list, new Map([[key, measured(Number.NaN)]]), asked);
    const remarks = [["it could not be computed: it is a share of nothing"], [NOBODY]];
    for (const [i, row] of rows.entries()) {
      expect(row).toMatchObject({ measured: null, verdict: "undecided", remarks: remarks[i] });
    }
  });

  test("a number without an interval is shown and decides nothing", () => {
    const found = { ...measured(1.6), low: Number.NaN, high: Number.NaN };
    const [row] = reportRows(figures(LINE), new Map([[key, found]]), asked);
    expect(row).toMatchObject({ measured: 1.6, low: null, high: null, verdict: "undecided" });
    expect(row?.remarks).toEqual([expect.stringContaining("its interval could not be computed")]);
  });

  test("one run decides nothing, neither a ratio nor an ordering", () => {
    for (const line of [LINE, ORDER]) {
      const of = (runs: number, found: number) =>
        reportRows(figures(line), new Map([[key, measured(1.6, found)]]), { runs })[0];
      expect(of(1, 1)).toMatchObject({ measured: 1.6, low: null, verdict: "undecided" });
      // Twenty groups of one run have an interval; one of many runs alone excludes chance.
      expect(of(1, 20)?.verdict).not.toBe("undecided");
      expect(of(20, 1)?.verdict).not.toBe("undecided");
    }
  });

  test("of our own studies quote the paper on the question", () => {
    const [row] = reportRows(parseOwnStudies([OWN], "ours.json"), new Map(), asked);
    expect(row?.remarks).toEqual(["the paper (4): left open", NOBODY]);
    expect(row?.verdict).toBe("shown");
  });
});
