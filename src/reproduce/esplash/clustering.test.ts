import { expect, test } from "vitest";
import { Place } from "../../base/shape.ts";
import { clustering } from "./clustering.ts";

/** Nodes of three speeds that run two jobs of maps; times are drawn. */
const FILE = {
  kind: "esplash-clustering",
  title: "three speeds",
  paper: "esplash",
  figures: ["fig2"],
  measures: Object.fromEntries(
    ["grouped", "plain"].map((column) => [column, { kind: "mean", table: "shares", column }]),
  ),
  rows: ["grouped", { kind: "difference", of: "grouped", from: "plain" }].map((value, i) => {
    return { figure: "fig2", setting: `${i}`, metric: "share", value, statistic: "mean" };
  }),
  drawings: ["grouped", "plain"].map((by) => ({
    ...{ kind: "points", figure: "fig2", title: by, table: "nodes", by, called: "level" },
    ...{ x: { title: "x" }, y: { title: "y" } },
  })),
};

const SETUP = {
  scenario: {
    cluster: {
      slotKinds: ["container"],
      nodes: [4, 2, 1].map((factor) => ({
        name: `times${factor}`,
        count: 10,
        factor,
        slots: { container: 2 },
      })),
      heartbeatMs: 0,
    },
    jobs: [20_000, 30_000].map((median, index) => ({
      name: `job${index}`,
      phases: [
        {
          name: "map",
          slots: ["container"],
          tasks: 240,
          work: { kind: "fixed", durationMs: { kind: "lognormal", median, sigma: 0.4 } },
        },
      ],
    })),
  },
  draws: 50,
  runsMax: 2,
};

const make = (setup: object) =>
  clustering.make({
    name: "test",
    json: { ...FILE, setup },
    place: new Place("bad-experiment", "test.json"),
    calibration: { constants: {} },
  });

test("groups find the speeds of nodes, and plain k-means with one start finds fewer", () => {
  const experiment = make(SETUP);
  const extent = { runs: 5, scale: "sample" } as const;
  const units = experiment.units(extent);
  expect(units.map(({ key }) => key)).toEqual(["seed 1", "seed 2"]);
  const done = units.map((unit) => ({ unit, outcome: experiment.run(unit) }));
  expect(done).toEqual(units.map((unit) => ({ unit, outcome: experiment.run(unit) })));
  const { measured, drawings } = experiment.report(done, extent);
  const [ours, difference] = measured;
  expect(ours?.value).toBeGreaterThan(0.8);
  expect(difference?.value).toBeGreaterThan(0.05);
  // The nodes of the first run alone, one group for each level.
  for (const drawing of drawings) {
    const groups = drawing.kind === "points" ? drawing.groups : [];
    expect(groups.map(({ label }) => label)).toContain("level 1");
    expect(groups.flatMap(({ points }) => points)).toHaveLength(30);
  }
});

test("a file without measured jobs is refused", () => {
  const { scenario, ...rest } = SETUP;
  expect(() => make(rest)).toThrow(/scenario: expected a scenario: cluster and jobs/);
  expect(() => make({ ...SETUP, scenario: { ...scenario, jobs: [] } })).toThrow(/jobs/);
  expect(() => make({ ...SETUP, draws: 0 })).toThrow(/draws/);
});
