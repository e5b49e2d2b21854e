import { describe, expect, test } from "vitest";
import { number, Place } from "../../base/shape.ts";
import { sectioned, studyKind } from "./kind.ts";
import { numberOf } from "./work.ts";

/** A study whose runs draw the numbers 1, 2, 3 ... times its set-up; run 3 draws none. */
const counting = studyKind<number>({
  kind: "counting",
  setup: number(),
  open: (by) => ({
    units: ({ runs }) =>
      Array.from({ length: runs }, (_, run) => ({ key: `${run}`, cost: 1, work: { run } })),
    run: (work) => {
      const run = numberOf(work, "run");
      return {
        rows: run === 3 ? [] : [{ x: by * (run + 1), same: run * run + 1, level: run * run }],
      };
    },
    numbers: (tables) => ({ rows: tables("rows").count }),
  }),
});

const FILE = {
  kind: "counting",
  title: "Counting",
  paper: "mantri",
  figures: ["fig1"],
  setup: 2,
  measures: {
    x: { kind: "mean", table: "rows", column: "x" },
    same: { kind: "mean", table: "rows", column: "same" },
    level: { kind: "mean", table: "rows", column: "level" },
    median: { kind: "quantile", at: 50, table: "rows", column: "x" },
  },
  rows: [{ figure: "fig1", setting: "s", metric: "m", value: "x" }],
};

function make(changes: object) {
  const place = new Place("bad-experiment", "test.json");
  const json = { ...FILE, ...changes };
  return counting.make({ name: "test", json, place, calibration: { constants: {} } });
}

function reported(runs: number, changes: object) {
  const experiment = make(changes);
  const extent = { runs, scale: "sample" } as const;
  const done = experiment.units(extent).map((unit) => ({ unit, outcome: experiment.run(unit) }));
  return experiment.report(done, extent);
}

const rowOf = (value: unknown, statistic?: string) => ({
  rows: [{ figure: "fig1", setting: "s", metric: "m", value, statistic }],
});

describe("a row of a study", () => {
  test("is the value of all runs, with the interval of Student's t about their parts", () => {
    const [row] = reported(3, {}).measured;
    // t(2) = 4.303, standard deviation 2, three parts.
    expect(row).toMatchObject({ figure: "fig1", setting: "s", metric: "m", value: 4, runs: 3 });
    expect((row?.high ?? 0) - 4).toBeCloseTo((4.302653 * 2) / Math.sqrt(3), 5);
  });

  test("with a single run has no width, and with parts of two 12.7 standard errors", () => {
    expect(reported(1, {}).measured[0]).toMatchObject({ value: 2, low: 2, high: 2, runs: 1 });
    expect((reported(2, {}).measured[0]?.high ?? 0) - 3).toBeCloseTo(12.7062, 3);
  });

  test("leaves out runs without the number", () => {
    expect(reported(4, {}).measured[0]).toMatchObject({ value: 4, runs: 3 });
  });

  test("is paired: a difference that every run has is certain, however the runs differ", () => {
    const value = { kind: "difference", of: "same", from: "level" };
    for (const statistic of ["parts", "mean"]) {
      const row = reported(3, rowOf(value, statistic)).measured[0];
      expect(row?.low).toBeCloseTo(1, 12);
      expect(row?.high).toBeCloseTo(1, 12);
    }
  });

  test("may be the mean of the runs, the largest of ten of them, or exact", () => {
    expect(reported(3, rowOf("x", "mean")).measured[0]).toMatchObject({ value: 4, runs: 3 });
    expect(reported(3, rowOf("x", "exact")).measured[0]).toMatchObject({
      low: 4,
      high: 4,
      runs: 1,
    });
    // Of ten draws of 2, 4 and 6, all are at most 4 with probability (2/3)^10.
    const largest = reported(3, rowOf("x", "largest of ten")).measured[0]?.value;
    expect(largest).toBeCloseTo(6 - 2 * (2 / 3) ** 10 - 2 * (1 / 3) ** 10, 12);
  });
});

describe("a study's file", () => {
  test("is refused for a measure or a figure that it does not have", () => {
    expect(() => make(rowOf("y"))).toThrow(/rows\[0\]\.value.*one of the measures x, same/);
    const [row] = FILE.rows;
    expect(() => make({ rows: [{ ...row, figure: "fig2" }] })).toThrow(/rows\[0\]\.figure/);
    const computed = { kind: "computed", value: "y" };
    expect(() => make({ measures: { ...FILE.measures, computed } })).toThrow(/measures\.computed/);
  });

  test("is refused for a name of a measure that would be read as one of a setting", () => {
    const measures = { "x of y": FILE.measures.x };
    expect(() => make({ measures })).toThrow(/names without " of "/);
  });

  test("has notes with the study's numbers, those of the other scale left out", () => {
    const notes = [
      { text: "{rows} rows, {rows}." },
      { text: "a part", scale: "sample" },
      { text: "everything", scale: "full" },
    ];
    expect(reported(3, { about: "About.", notes }).notes).toEqual([
      "About.",
      "3 rows, 3.",
      "a part",
    ]);
  });

  test("has drawings: the cumulative shares of a column, or columns over another", () => {
    const named = { figure: "fig1", title: "t", x: { title: "x" } };
    const curve = { label: "x", table: "rows", column: "x" };
    const cumulative = {
      kind: "cumulative",
      ...named,
      from: 50,
      to: 51,
      times: 10,
      curves: [curve],
    };
    const functions = {
      ...{ kind: "functions", ...named, y: { title: "y" }, steps: true },
      curves: [{ label: "level", table: "rows", column: "level" }],
    };
    const { drawings } = reported(3, { drawings: [cumulative, functions] });
    expect(drawings[0]).toMatchObject({
      y: { title: "cumulative share, %", from: 0, to: 100 },
      curves: [
        {
          label: "x",
          points: [
            { x: 40, y: 50 },
            { x: 40, y: 51 },
          ],
        },
      ],
    });
    expect(drawings[1]).toMatchObject({
      curves: [
        {
          points: [
            { x: 2, y: 0 },
            { x: 4, y: 1 },
            { x: 6, y: 4 },
          ],
        },
      ],
    });
  });
});

describe("an interval by sections", () => {
  test("widens if the parts are biased, because they are small", () => {
    const near = sectioned(2, [1.9, 2, 2.1], 3);
    const off = sectioned(2, [2.9, 3, 3.1], 3);
    expect(off.high - off.low).toBeGreaterThan(5 * (near.high - near.low));
  });

  test("does not exist if one part of several is known", () => {
    const { value, low, high } = sectioned(2, [2], 3);
    expect([value, low, high]).toEqual([2, Number.NaN, Number.NaN]);
  });
});
