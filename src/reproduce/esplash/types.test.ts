import { expect, test } from "vitest";
import { Place } from "../../base/shape.ts";
import { types } from "./types.ts";

const mean = (column: string) => {
  return { kind: "mean", table: "levels", column, where: { column: "line", is: "*" } };
};
const FILE = {
  kind: "esplash-types",
  title: "Types",
  paper: "esplash",
  figures: ["types"],
  setup: {
    times: [80, 50, 32, 20],
    nodesOfEach: 10,
    types: [1, 8],
    cases: [
      { sigma: 0.3, tasks: 5 },
      { sigma: 0.16, tasks: 10 },
    ],
    draws: 20,
  },
  measures: { found: mean("found"), right: mean("right") },
  rows: [0, 1, 2, 3].flatMap((line) =>
    ["found", "right"].map((metric) => {
      const row = { figure: "types", setting: `${line}`, metric, statistic: "mean" };
      return { ...row, value: `${metric} of ${line}` };
    }),
  ),
};

/** Levels found, and the share of nodes of the right level, by setting. */
function rows(): readonly (readonly [levels: number, right: number])[] {
  const experiment = types.make({
    name: "test",
    json: FILE,
    place: new Place("bad-experiment", "test.json"),
    calibration: { constants: {} },
  });
  const extent = { runs: 2, scale: "full" } as const;
  const units = experiment.units(extent);
  const done = units.map((unit) => ({ unit, outcome: experiment.run(unit) }));
  const { measured } = experiment.report(done, extent);
  return units.map((_, at) => [
    measured[2 * at]?.value ?? Number.NaN,
    measured[2 * at + 1]?.value ?? Number.NaN,
  ]);
}

test("levels are found with a single type, and dissolve with eight of scattered times", () => {
  const [one, eight, narrow, narrowEight] = rows();
  expect(one?.[0]).toBeGreaterThan(3.5);
  expect(eight?.[0]).toBeLessThan(1.5);
  expect(eight?.[1]).toBeLessThan(0.4);
  // If a node's mean is sharp, more types do no harm.
  for (const [levels, right] of [narrow ?? [0, 0], narrowEight ?? [0, 0]]) {
    expect(levels).toBeGreaterThan(3.8);
    expect(right).toBeGreaterThan(0.95);
  }
});
