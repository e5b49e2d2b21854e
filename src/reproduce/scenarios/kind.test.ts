import { describe, expect, test } from "vitest";
import { parseCalibration } from "../calibration.ts";
import type { Done, Experiment } from "../experiment.ts";
import { makeExperiment } from "../kinds.ts";

/** Four tasks on four nodes, one of them eight times slower: a copy helps. */
const FILE = {
  kind: "scenarios",
  title: "A slow node",
  about: "A test.",
  paper: "late",
  figures: ["fig1"],
  cost: 2,
  scenario: {
    cluster: {
      nodes: [
        { name: "fast", count: 3, slots: { map: 1 } },
        { name: "slow", factor: 8, slots: { map: 1 } },
      ],
      heartbeatMs: 0,
      reportEveryMs: 0,
      askAgainMs: 1000,
    },
    jobs: [
      {
        name: "job",
        phases: [
          {
            name: "map",
            slots: ["map"],
            tasks: 4,
            work: { kind: "fixed", durationMs: { constant: "taskMs" } },
          },
        ],
      },
    ],
  },
  variants: {
    mixed: {},
    alike: { cluster: { nodes: [{ name: "n", count: 4, slots: { map: 1 } }] } },
  },
  disciplines: {
    none: { discipline: "none" },
    late: { discipline: "late", set: { "speculation.runtimeMsMin": 1000 } },
  },
  measures: {
    response: { kind: "response" },
    copies: { kind: "attempts", as: ["speculative"] },
    "killed on slow": { kind: "attempts", ended: "killed", nodes: ["slow*"] },
    "copies for slow": { kind: "attempts", as: ["speculative"], triedOn: ["slow"] },
    wasted: { kind: "wasted" },
    span: { kind: "span", nodes: ["fast-*"] },
  },
  rows: [
    {
      figure: "fig1",
      setting: "late over none",
      metric: "speedup",
      value: { kind: "speedup", of: "response of mixed/late", over: "response of mixed/none" },
    },
    { figure: "fig1", setting: "alike", metric: "copies", value: "copies of alike/late" },
    {
      figure: "fig1",
      setting: "late",
      metric: "copies of the slow node's task",
      value: { kind: "ratio", of: "copies for slow of mixed/late", to: "copies of mixed/late" },
      statistic: "of means",
    },
    { figure: "fig1", setting: "late", metric: "wasted", value: "wasted of mixed/late" },
    { figure: "fig1", setting: "late", metric: "killed", value: "killed on slow of mixed/late" },
    { figure: "fig1", setting: "none", metric: "fast nodes", value: "span of mixed/none" },
  ],
  drawings: [
    {
      kind: "bars",
      figure: "fig1",
      title: "Response",
      y: { title: "s" },
      groups: [{ label: "late", bars: [{ series: "late", value: "response of mixed/late" }] }],
    },
  ],
};

const CALIBRATION = { taskMs: { value: 10000, unit: "ms", source: "a test" } };

const made = (json: unknown): Experiment =>
  makeExperiment({
    name: "test",
    file: "test.json",
    json,
    calibration: parseCalibration(CALIBRATION, "calibration.json"),
  });

const reported = (experiment: Experiment, runs: number) => {
  const extent = { runs, scale: "sample" } as const;
  const done = experiment
    .units(extent)
    .map((unit): Done => ({ unit, outcome: experiment.run(unit) }));
  return experiment.report(done, extent);
};

describe("an experiment of scenarios", () => {
  test("has a unit for each seed of each variant under each discipline", () => {
    const units = made(FILE).units({ runs: 2, scale: "full" });
    expect(units.map(({ key }) => key)).toEqual([
      "mixed/none 1",
      "mixed/none 2",
      "alike/none 1",
      "alike/none 2",
      "mixed/late 1",
      "mixed/late 2",
      "alike/late 1",
      "alike/late 2",
    ]);
    expect(units.every(({ cost }) => cost === 2)).toBe(true);
  });

  test("measures the outcomes of jobs and attempts", () => {
    const { measured, notes } = reported(made(FILE), 2);
    const values = new Map(measured.map(({ metric, value }) => [metric, value]));
    // The copy begins when a fast node is free, after 10 s, and takes 10 s; alone it takes 80.
    expect(values.get("speedup")).toBeCloseTo(4, 6);
    expect(values.get("copies")).toBe(0);
    expect(values.get("copies of the slow node's task")).toBe(1);
    expect(values.get("killed")).toBe(1);
    expect(values.get("wasted")).toBeCloseTo(20, 6);
    expect(values.get("fast nodes")).toBeCloseTo(10, 6);
    expect(measured.every(({ runs }) => runs === 2)).toBe(true);
    expect(notes).toEqual(["A test."]);
  });

  test("draws its file's picture, with the numbers filled in", () => {
    const [drawing] = reported(made(FILE), 1).drawings;
    expect(drawing).toMatchObject({
      kind: "bars",
      groups: [{ bars: [{ series: "late", value: 20, low: 20, high: 20 }] }],
    });
  });

  test("runs fewer seeds than requested if its file says so, with a note", () => {
    const experiment = made({ ...FILE, runsMax: { sample: 1, full: 3 } });
    expect(experiment.units({ runs: 20, scale: "sample" })).toHaveLength(4);
    expect(experiment.units({ runs: 20, scale: "full" })).toHaveLength(12);
    expect(reported(experiment, 20).notes).toContain("One run of each setting, not 20.");
  });

  const first = { ...FILE.rows[0], value: "speed of mixed/late" };
  test.each([
    [{ ...FILE, kind: "sceanrios" }, /test\.json: kind: expected one of/],
    [{ ...FILE, extra: 1 }, /test\.json: extra: unknown/],
    [{ ...FILE, rows: [first] }, /rows\[0\]\.value: expected one of the measures response/],
    [
      { ...FILE, rows: [{ ...first, value: "response of late" }] },
      /rows\[0\]\.value: expected one of the settings mixed\/none/,
    ],
    [{ ...FILE, rows: [{ ...first, figure: "fig2" }] }, /rows\[0\]\.figure: expected one of the/],
    [
      { ...FILE, variants: { odd: { cluster: { nodes: [] } } } },
      /test\.json: scenario, variant odd: cluster\.nodes: expected/,
    ],
    [
      { ...FILE, disciplines: { none: { discipline: "none", variants: ["odd"] } } },
      /disciplines\.none\.variants: expected a variant of the file, found "odd"/,
    ],
    [{ ...FILE, measures: { "a of b": { kind: "response" } } }, /measures: expected names without/],
    [{ ...FILE, disciplines: { late: { discipline: "lat" } } }, /no discipline lat/],
    [{ ...FILE, scenario: { constant: "nobody" } }, /scenario\.constant: expected the name/],
  ])("says what is wrong in its file, and where: %#", (json, message) => {
    expect(() => made(json)).toThrow(message);
  });
});
