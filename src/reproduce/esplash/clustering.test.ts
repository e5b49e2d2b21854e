import { expect, test } from "vitest";
import { Place } from "../../base/shape.ts";
import { clustering } from "./clustering.ts";

/** Nodes of three speeds that run two jobs of maps; times are drawn. */
const FILE = {
  kind: "esplash-clustering",
  title: "three speeds",
  paper: "esplash",
  figures: ["fig2"],
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

const make = (json: unknown) =>
  clustering.make({
    name: "test",
    json,
    place: new Place("bad-experiment", "test.json"),
    calibration: { constants: {} },
  });

test("groups find the speeds of nodes, and plain k-means with one start finds fewer", () => {
  const experiment = make(FILE);
  const extent = { runs: 5, scale: "sample" } as const;
  const units = experiment.units(extent);
  expect(units.map(({ key }) => key)).toEqual(["seed 1", "seed 2"]);
  const done = units.map((unit) => ({ unit, outcome: experiment.run(unit) }));
  expect(done).toEqual(units.map((unit) => ({ unit, outcome: experiment.run(unit) })));
  const { measured, drawings } = experiment.report(done, extent);
  const [ours, difference] = measured;
  expect(ours?.value).toBeGreaterThan(0.8);
  expect(difference?.value).toBeGreaterThan(0.05);
  expect(drawings).toHaveLength(2);
});

test("a file without measured jobs is refused", () => {
  const { scenario, ...rest } = FILE;
  expect(() => make(rest)).toThrow(/scenario: expected a scenario: cluster and jobs/);
  expect(() => make({ ...FILE, scenario: { ...scenario, jobs: [] } })).toThrow(/jobs/);
  expect(() => make({ ...FILE, draws: 0 })).toThrow(/draws/);
});
