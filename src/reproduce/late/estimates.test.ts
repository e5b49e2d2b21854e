import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parseCalibration } from "../calibration.ts";
import { makeExperiment } from "../kinds.ts";

const name = "late-estimates";
const file = new URL(`../../../reproduction/experiments/${name}.json`, import.meta.url);
const experiment = makeExperiment({
  name,
  file: `${name}.json`,
  json: JSON.parse(readFileSync(file, "utf8")),
  calibration: parseCalibration({}, "calibration.json"),
});
const extent = { runs: 1, scale: "sample" } as const;
const done = experiment.units(extent).map((unit) => ({ unit, outcome: experiment.run(unit) }));
const { measured, drawings } = experiment.report(done, extent);
const value = (setting: string) => measured.find((row) => row.setting === setting)?.value;

test("§4.2: at 20 s T1 seems to have 13.3 s left and T2 10 s, though T1 ends 10 s earlier", () => {
  expect(value("T1 at 20 s")).toBeCloseTo(40 / 3, 9);
  expect(value("T2 at 20 s")).toBeCloseTo(10, 9);
  expect(value("T1 - T2")).toBe(-10);
});

test("§3.2: of 100 reduces 30 are done: the average is 0.533; at 31 all others are marked", () => {
  expect(value("30 % of the reduces have finished")).toBeCloseTo(0.3 + 0.7 / 3, 12);
  expect(value("31 % of the reduces have finished")).toBe(1);
});

test("Figure 2's curves bend at a half, and end after 60 s", () => {
  expect(drawings[0]).toMatchObject({
    kind: "curves",
    curves: [
      { label: "T1", points: [{ x: 0, y: 0 }, { x: 10, y: 0.5 }, { x: 60 }] },
      { label: "T2", points: [{ x: 10, y: 0 }, { x: 20, y: 0.5 }, { x: 70 }] },
    ],
  });
});
