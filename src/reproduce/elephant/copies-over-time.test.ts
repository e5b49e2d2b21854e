import { expect, test } from "vitest";
import { Place } from "../../base/shape.ts";
import type { Experiment } from "../experiment.ts";
import { copiesOverTime, runningAt } from "./copies-over-time.ts";

const experiment = (): Experiment =>
  copiesOverTime.make({
    name: "test",
    json: FILE,
    place: new Place("bad-experiment", "test.json"),
    calibration: { constants: {} },
  });

/** Two tasks of 100 s; one of the nodes becomes ten times slower after 50 s. */
const FILE = {
  kind: "copies-over-time",
  title: "Copies",
  paper: "elephant",
  figures: ["fig3", "fig4"],
  drawings: ["normal", "slow"].map((panel) => ({
    ...{ kind: "functions", figure: "fig3", title: panel, x: { title: "x" }, y: { title: "y" } },
    steps: true,
    curves: ["running", "useful"].map((column) => {
      return { label: column, table: `${panel}/Hadoop`, column };
    }),
  })),
  setup: {
    everyS: 30,
    disciplines: { Hadoop: { discipline: "hadoop", set: { "speculation.gap": 0.2 } } },
    panels: {
      normal: {},
      slow: { faults: [{ kind: "slow", node: "node-0", at: 50_000, factor: 10 }] },
    },
    scenario: {
      cluster: { nodes: [{ name: "node", count: 2, slots: { map: 1 } }], heartbeatMs: 0 },
      jobs: [
        {
          name: "job",
          phases: [
            { name: "map", slots: ["map"], tasks: 2, work: { kind: "fixed", durationMs: 100_000 } },
          ],
        },
      ],
    },
  },
};

test("an attempt runs from its start until before its end", () => {
  const attempts = [{ launchedAt: 10, endedAt: 20 }];
  expect([9, 10, 19, 20].map((at) => runningAt(attempts, at))).toEqual([0, 1, 1, 0]);
});

test("each panel is run under each discipline, once", () => {
  const units = experiment().units({ runs: 20, scale: "full" });
  expect(units.map(({ key }) => key)).toEqual(["normal/Hadoop", "slow/Hadoop"]);
});

test("draws the running copies, and the winning ones", () => {
  const copies = experiment();
  const extent = { runs: 1, scale: "sample" } as const;
  const done = copies.units(extent).map((unit) => ({ unit, outcome: copies.run(unit) }));
  const [normal, slow] = copies.report(done, extent).drawings;
  const counts = (drawing: typeof normal, curve: number) =>
    drawing?.kind === "curves" ? drawing.curves[curve]?.points.map(({ y }) => y) : undefined;
  expect(normal).toMatchObject({ figure: "fig3", title: "normal", steps: true });
  expect(counts(normal, 0)).toEqual([0, 0, 0, 0]);
  // The fast node ends at 100 s and takes the slow node's task, which has reached 0.55.
  expect(counts(slow, 0)).toEqual([0, 0, 0, 0, 1, 1, 1]);
  expect(counts(slow, 1)).toEqual([0, 0, 0, 0, 1, 1, 1]);
});
