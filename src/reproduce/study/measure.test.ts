import { describe, expect, test } from "vitest";
import { type Measure, Measures } from "./measure.ts";
import { packed, type Row, tablesOf } from "./table.ts";

/** The rows of each run, as units that workers have sent back. */
const tables = (...runs: readonly (readonly Row[])[]) =>
  tablesOf(
    runs.map((rows, run) => ({
      unit: { key: `${run}`, cost: 1, work: { run } },
      outcome: JSON.parse(JSON.stringify(packed({ rows }))),
    })),
  );

const TABLES = tables(
  [{ "x of a": 3, weight: 1, kind: 0 }],
  [
    { "x of a": 1, weight: 1, kind: 1 },
    { "x of a": 2, weight: 2, kind: 1 },
    { weight: 9, kind: 1 },
  ],
);

function measuredBy(measure: Measure, run?: number, setting = "a"): number {
  const quantity = { kind: "measure", measure: "m", setting } as const;
  return new Measures({ m: measure }, TABLES).value(quantity, run);
}

describe("a weighted quantile", () => {
  const at = (percentage: number) =>
    ({
      kind: "quantile",
      at: percentage,
      table: "rows",
      column: "x of *",
      weight: "weight",
    }) as const;

  test("is where the weight below reaches the percentage; what is not known has no weight", () => {
    expect([0, 25, 50, 75, 76, 100].map((one) => measuredBy(at(one)))).toEqual([1, 1, 2, 2, 3, 3]);
  });

  test("of one run counts the rows of this run alone", () => {
    expect(measuredBy(at(50), 0)).toBe(3);
    expect(measuredBy(at(50), 1)).toBe(2);
    expect(measuredBy(at(50), 2)).toBe(Number.NaN);
  });

  test("is the same whether asked for alone or together with others", () => {
    const [, ...all] = Array.from({ length: 100 }, (_, i) => i);
    const of = { table: "rows", column: "x of a", weight: "weight" };
    expect(new Measures({}, TABLES).quantiles(of, all)).toEqual(
      all.map((one) => measuredBy(at(one))),
    );
  });
});

describe("a measure", () => {
  const rows = { table: "rows" } as const;

  test("counts rows, or those in which a column is known", () => {
    expect(measuredBy({ kind: "count", ...rows })).toBe(4);
    expect(measuredBy({ kind: "count", ...rows, column: "x of *" })).toBe(3);
    expect(measuredBy({ kind: "count", ...rows, where: { column: "kind", is: "*" } }, 1, "1")).toBe(
      3,
    );
  });

  test("adds up, and takes means, of the rows that satisfy a condition", () => {
    const some = { ...rows, column: "x of *", where: { column: "kind", is: 1 } } as const;
    expect(measuredBy({ kind: "total", ...some })).toBe(3);
    expect(measuredBy({ kind: "total", ...some, by: "run" })).toBe(3);
    expect(measuredBy({ kind: "mean", ...some })).toBe(1.5);
    expect(measuredBy({ kind: "mean", ...some }, 0)).toBe(Number.NaN);
    expect(measuredBy({ kind: "deviation", ...some })).toBeCloseTo(Math.SQRT1_2, 12);
    expect(measuredBy({ kind: "percentile", at: 25, ...some })).toBe(1.25);
  });

  test("is a share of the weight of the rows in which the condition's column is known", () => {
    const that = { column: "x of *", below: 3 };
    expect(measuredBy({ kind: "share", ...rows, that })).toBeCloseTo(2 / 3, 12);
    expect(measuredBy({ kind: "share", ...rows, that, weight: "weight" })).toBe(0.75);
    const negative = { column: "-x of *", above: -3 };
    expect(measuredBy({ kind: "share", ...rows, that: negative })).toBeCloseTo(2 / 3, 12);
  });

  test("has the median of all runs as a bound, in each run", () => {
    const above = { column: "weight", above: "median" } as const;
    const upTo = { column: "weight", upTo: "median" } as const;
    expect(measuredBy({ kind: "count", ...rows, where: above }, 1)).toBe(2);
    expect(measuredBy({ kind: "count", ...rows, where: upTo }, 0)).toBe(1);
  });

  test("finds how much oftener numbers are equal than at random", () => {
    // Of twelve ordered pairs six are equal; of three numbers four would be.
    const repeats = { kind: "repeats", column: "kind", among: "among" } as const;
    const from = tables([1, 1, 1, 0].map((kind) => ({ kind, among: 3 })));
    const measures = new Measures({ m: { ...repeats, table: "rows" } }, from);
    expect(measures.value({ kind: "measure", measure: "m", setting: "" })).toBe(6 / 4);
  });

  test("is computed of others, with its own setting for each star", () => {
    const measures = new Measures(
      {
        x: { kind: "total", table: "rows", column: "x of *" },
        part: {
          kind: "computed",
          value: {
            kind: "ratio",
            of: { kind: "measure", measure: "x", setting: "*" },
            to: { kind: "measure", measure: "x", setting: "b" },
          },
        },
      },
      tables([{ "x of a": 3, "x of b": 6 }]),
    );
    const part = { kind: "measure", measure: "part", setting: "a" } as const;
    expect(measures.value(part)).toBe(0.5);
    expect(measures.runsOf(part)).toEqual([0]);
  });

  test("of a column that no row has fails with its name", () => {
    expect(() => measuredBy({ kind: "total", ...rows, column: "y" })).toThrow("a column y");
  });
});

test("a row may name its own run", () => {
  const from = tables([
    { x: 1, run: 7 },
    { x: 2, run: 8 },
  ]);
  expect(from("rows").runs).toEqual([7, 8]);
});
