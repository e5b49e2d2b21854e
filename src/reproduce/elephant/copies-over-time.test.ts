import { expect, test } from "vitest";
import { Place } from "../../base/shape.ts";
import type { Experiment } from "../experiment.ts";
import { copiesOverTime, runningAt } from "./copies-over-time.ts";

const make = (changes: object): Experiment =>
  copiesOverTime.make({
    name: "test",
    json: { ...FILE, ...changes },
    place: new Place("bad-experiment", "test.json"),
    calibration: { constants: {} },
  });

/** Two tasks of 100 s; one of the nodes becomes ten times slower after 50 s. */
const FILE = {
  kind: "copies-over-time",
  title: "Copies",
  paper: "elephant",
  figures: ["fig3", "fig4"],
  everyS: 30,
  disciplines: { Hadoop: { discipline: "hadoop", set: { "speculation.gap": 0.2 } } },
  panels: [
    { figure: "fig3", title: "normal" },
    {
      figure: "fig4",
      title: "slow",
      change: { faults: [{ kind: "slow", node: "node-0", at: 50_000, factor: 10 }] },
    },
  ],
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
};

test("an attempt runs from its start until before its end", () => {
  const attempts = [{ launchedAtMs: 10, endedAtMs: 20 }];
  expect([9, 10, 19, 20].map((at) => runningAt(attempts, at))).toEqual([0, 1, 1, 0]);
});

test("each panel is run under each discipline, once", () => {
  const units = make({}).units({ runs: 20, scale: "full" });
  expect(units.map(({ key }) => key)).toEqual(["normal, Hadoop", "slow, Hadoop"]);
});

test("draws the running copies, and the winning ones", () => {
  const experiment = make({});
  const extent = { runs: 1, scale: "sample" } as const;
  const done = experiment.units(extent).map((unit) => ({ unit, outcome: experiment.run(unit) }));
  const [normal, slow] = experiment.report(done, extent).drawings;
  const counts = (drawing: typeof normal, curve: number) =>
    drawing?.kind === "curves" ? drawing.curves[curve]?.points.map(({ y }) => y) : undefined;
  expect(normal).toMatchObject({ figure: "fig3", title: "normal: Hadoop", steps: true });
  expect(counts(normal, 0)).toEqual([0, 0, 0, 0]);
  // The fast node ends at 100 s and takes the slow node's task, which has reached 0.55.
  expect(counts(slow, 0)).toEqual([0, 0, 0, 0, 1, 1, 1]);
  expect(counts(slow, 1)).toEqual([0, 0, 0, 0, 1, 1, 1]);
});

test("a panel belongs to one of the file's figures", () => {
  expect(() => make({ figures: ["fig3"] })).toThrow(
    'test.json: panels[1].figure: expected one of the file\'s figures, found "fig4"',
  );
});
