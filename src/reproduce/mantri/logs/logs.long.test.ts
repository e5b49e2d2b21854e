import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { assert, defined } from "../../../base/assert.ts";
import { isObject } from "../../../base/shape.ts";
import { parseCalibration } from "../../calibration.ts";
import { makeExperiment } from "../../kinds.ts";
import { parseFigures } from "../../parse-figures.ts";
import { drawJob } from "./job-log.ts";
import { logModel } from "./model.ts";
import { attemptOf } from "./phase-log.ts";

const root = new URL("../../../../reproduction/", import.meta.url);
const read = (path: string): unknown => JSON.parse(readFileSync(new URL(path, root), "utf8"));
const calibration = parseCalibration(read("calibration.json"), "calibration.json");
const model = logModel(calibration);
const name = "mantri-logs";
const json = read(`experiments/${name}.json`);
assert(isObject(json) && "setup" in json && isObject(json.setup), "a study's set-up");
const experiment = makeExperiment({
  name,
  file: name,
  // The differences between repeated runs are no property of the logs: two runs suffice here.
  json: { ...json, setup: { ...json.setup, repeats: 2 } },
  calibration,
});

const published = parseFigures(read("figures.json"), "figures.json").filter(
  ({ paper, figure, metric, tag }) =>
    paper === "mantri" &&
    tag === "input" &&
    experiment.figures.includes(figure) &&
    // The number of drawn jobs is proportional to Table 2's by construction, so no test could fail.
    metric !== "jobs",
);

/** Shares and medians of the logs are within this much of the paper's, relative. */
const TOLERANCE = 0.15;
/** Losses are rare: a few hundred occur, and fewer of each kind. */
const RARE = 0.35;
/** A date's totals depend on its largest jobs, a few of the two hundred drawn. */
const A_DATE = 0.5;
const ALL_DATES = 0.2;
/** Figures about few and rare events. */
const TOLERANCES: Readonly<Record<string, number>> = {
  // Tasks that are slowed a little, and have a little more data, take just above 1.5 times the
  // median.
  "outliers from 1.5 to 2.5 times the median": 0.25,
  "phases where over half of the tasks wait": RARE,
  "recomputations over 10 times the median": RARE,
  "recomputations on 5 % of the machines": RARE,
  // The jobs keep their losses: losses in one of a hundred phases are chance.
  "no runtime outliers": RARE,
};

describe("the generated logs", () => {
  const extent = { runs: 20, scale: "sample" } as const;
  const done = experiment.units(extent).map((unit) => ({ unit, outcome: experiment.run(unit) }));
  const { measured } = experiment.report(done, extent);
  const find = (figure: string, setting: string, metric: string) =>
    measured.find(
      (one) => one.figure === figure && one.setting === setting && one.metric === metric,
    );

  test.each(published.map((one) => [`${one.figure}: ${one.setting}, ${one.metric}`, one] as const))(
    "%s is as the paper prints it",
    (_, one) => {
      const { value } = find(one.figure, one.setting, one.metric) ?? { value: Number.NaN };
      const tolerance = one.figure === "table2" ? A_DATE : (TOLERANCES[one.setting] ?? TOLERANCE);
      expect(value / Number(one.published)).toBeGreaterThan(1 - tolerance);
      expect(value / Number(one.published)).toBeLessThan(1 + tolerance);
    },
  );

  test.each(["phases, thousands", "compute, years", "data, PB", "network, PB"])(
    "over all dates %s come out as in Table 2",
    (metric) => {
      const total = (rows: readonly { metric: string; figure: string; is: number }[]) =>
        rows
          .filter((one) => one.figure === "table2" && one.metric === metric)
          .reduce((sum, { is }) => sum + is, 0);
      const ours = total(measured.map((one) => ({ ...one, is: one.value })));
      const theirs = total(published.map((one) => ({ ...one, is: Number(one.published) })));
      expect(ours / theirs).toBeGreaterThan(1 - ALL_DATES);
      expect(ours / theirs).toBeLessThan(1 + ALL_DATES);
    },
  );

  test("99 of 100 phases have no recomputes, with an interval that is narrow", () => {
    const { low, high } = defined(find("fig2", "phases without recomputes", "share"), "a row");
    expect(low).toBeGreaterThan(0.98);
    expect(high).toBeLessThan(0.995);
  });

  test.each(published.map(({ figure, setting, metric }) => [figure, setting, metric] as const))(
    "%s: %s, %s has an interval",
    (...row) => {
      const { value, low, high, runs } = defined(find(...row), "a row");
      expect(runs).toBe(20);
      expect(low).toBeLessThan(value);
      expect(high).toBeGreaterThan(value);
    },
  );

  test("outliers of different jobs come at the same times: Figure 7", () => {
    const setting = "outliers of other jobs while a phase has over 15 %";
    expect(find("fig7", setting, "over the mean")?.low).toBeGreaterThan(1);
  });

  test("a machine that lost outputs loses more than others: Figure 7", () => {
    const setting = "further losses of a machine that lost outputs";
    expect(find("fig7", setting, "over any machine's")?.value).toBeGreaterThan(2);
  });

  test("every measured figure is finite", () => {
    for (const { value } of measured) expect(value).toSatisfy(Number.isFinite);
  });
});

describe("a job of the logs", () => {
  const job = drawJob(model, { date: 3, job: 11, seed: 1 });

  test("is the same whenever it is drawn", () => {
    expect(drawJob(model, { date: 3, job: 11, seed: 1 })).toEqual(job);
    expect(drawJob(model, { date: 3, job: 11, seed: 2 })).not.toEqual(job);
    expect(drawJob(model, { date: 3, job: 12, seed: 1 })).not.toEqual(job);
  });

  test("has edges that lead forward, each once", () => {
    const seen = new Set(job.edges.map(({ from, to }) => `${from} ${to}`));
    expect(seen.size).toBe(job.edges.length);
    for (const { from, to } of job.edges) expect(from).toBeLessThan(to);
  });

  test("has phases whose names give their roles", () => {
    for (const [i, phase] of job.phases.entries()) expect(phase.name).toBe(`${phase.role}-${i}`);
  });
});

describe("an attempt", () => {
  const phases = Array.from(
    { length: 40 },
    (_, job) => drawJob(model, { date: 0, job, seed: 1 }).phases,
  ).flat();

  test("has its task's data and code, and contention of its own", () => {
    let differs = 0;
    for (const phase of phases) {
      const first = attemptOf(model, phase, { index: 0, ordinal: 0 });
      const copy = attemptOf(model, phase, { index: 0, ordinal: 1 });
      expect(copy.ms / copy.hindered).toBeCloseTo(first.ms / first.hindered, 6);
      if (copy.hindered !== first.hindered) differs += 1;
    }
    expect(differs).toBe(phases.length);
  });

  test("takes a fixed time, and more for more data", () => {
    for (const phase of phases) {
      for (const [index, bytes] of phase.bytes.entries()) {
        const { ms, hindered } = attemptOf(model, phase, { index, ordinal: 0 });
        expect(ms).toBeCloseTo((phase.fixedMs + bytes * phase.msPerByte) * hindered, 6);
      }
    }
  });
});

test("a generator with a constant left out is refused by its name", () => {
  const { constants } = calibration;
  const without = Object.fromEntries(
    Object.entries(constants).map(([key, constant]) => {
      const isSizes = key === "mantri.logs.sizes" && isObject(constant.value);
      return [key, isSizes ? { ...constant, value: { halfWidthMost: 0.3 } } : constant];
    }),
  );
  expect(() => logModel({ constants: without })).toThrow("mantri.logs.sizes.fixedMost");
});
