import { describe, expect, test } from "vitest";
import { figureKey, parseFigures } from "./parse-figures.ts";
import { remarksOn, reportRows, resultRow, scoreLine, scoreOf } from "./rows.ts";

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

describe("the list of published figures", () => {
  test.each([
    [{ ...LINE, gain: undefined }, /\[0\]\.gain: expected a gain where the tag is ratio/],
    [{ ...LINE, claims: "above 0" }, /\[0\]\.claims: expected a claim where the tag is ordering/],
    [{ ...LINE, published: "fast" }, /\[0\]\.published: expected a number where the tag is ratio/],
    [{ ...LINE, published: 1.04 }, /a difference of 5 % or more/],
    [{ ...LINE, gain: "reduction", published: -0.03 }, /a difference of 5 % or more/],
    [{ ...LINE, gain: "value", published: 0 }, /a value other than 0/],
    [{ ...LINE, tag: "guess" }, /\[0\]\.tag: expected one of "input"/],
  ])("refuses %j", (line, message) => {
    expect(() => figures(line)).toThrow(message);
  });

  test("has each figure, setting and metric once", () => {
    expect(() => figures(LINE, LINE)).toThrow(/\[1\]: expected a figure.* that are new/);
    expect(figures(LINE, { ...LINE, paper: "mantri" })).toHaveLength(2);
  });
});

describe("rows", () => {
  const measured = (value: number, runs = 3) => {
    const { figure, setting, metric } = LINE;
    return { figure, setting, metric, value, low: value, high: value, runs };
  };
  const key = figureKey(LINE);
  const asked = { runs: 3 };

  test("stand in the order of the list, with what was measured beside what was published", () => {
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

  test("what came out as no number is told apart from what nobody measures", () => {
    const list = figures(LINE, { ...LINE, metric: "wasted" });
    const rows = reportRows(list, new Map([[key, measured(Number.NaN)]]), asked);
    const remarks = [["it could not be computed: it is a share of nothing"], [NOBODY]];
    for (const [i, row] of rows.entries()) {
      expect(row).toMatchObject({ measured: null, verdict: "undecided", remarks: remarks[i] });
    }
  });

  test("a number whose interval is none is shown and decides nothing", () => {
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
      // Twenty groups of one run have an interval; of many runs, one alone is what chance has no
      // part in.
      expect(of(1, 20)?.verdict).not.toBe("undecided");
      expect(of(20, 1)?.verdict).not.toBe("undecided");
    }
  });

  test("have their notes as remarks, each told once with the lines that it is about", () => {
    const noted = { ...LINE, note: "a bound" };
    const metrics = ["a", "b", "c", "d", "e"];
    const list = figures(...metrics.map((metric) => ({ ...noted, metric })), LINE);
    expect(remarksOn(reportRows(list, new Map(), asked))).toEqual([
      "LATE over native, a; LATE over native, b; LATE over native, c; 2 more: a bound",
      `LATE over native, a; LATE over native, b; LATE over native, c; 3 more: ${NOBODY}`,
    ]);
  });

  test("add up to one line, of what is judged alone", () => {
    const metrics = ["a", "b", "c", "d"];
    const list = figures(
      ...metrics.map((metric) => ({ ...LINE, metric })),
      ...metrics.map((metric) => ({ ...ORDER, figure: "fig6", metric })),
      { ...LINE, metric: "e", tag: "shape", gain: undefined },
    );
    const values = [1.6, 1.1, 0.9, undefined, 3, 3, -1, undefined, 7];
    const pairs = list.flatMap((line, i) => {
      const value = values[i];
      return value === undefined ? [] : [[figureKey(line), measured(value)] as const];
    });
    const score = scoreOf(reportRows(list, new Map(pairs), asked));
    expect(scoreLine(score)).toBe(
      "orderings 2 of 4, ratios 1 of 4 within, 2 contradicted, 2 undecided",
    );
  });
});
