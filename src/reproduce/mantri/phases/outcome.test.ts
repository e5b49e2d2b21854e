import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { assert } from "../../../base/assert.ts";
import { isObject, Place } from "../../../base/shape.ts";
import { chopTailMakespan, noSkewMakespan } from "../../../hosts/sim/oracles.ts";
import { parseDiscipline } from "../../../policy/discipline.ts";
import { parseCalibration, withConstants } from "../../calibration.ts";
import { packed, type Row } from "../../study/table.ts";
import { drawJob } from "../logs/job-log.ts";
import { logModel } from "../logs/model.ts";
import { phases as study } from "./experiment.ts";
import { phaseRows } from "./outcome.ts";
import { loggedTimes, runPhase } from "./phase-run.ts";
import { samplePhases } from "./sample.ts";

const file = new URL("../../../../reproduction/calibration.json", import.meta.url);
const calibration = parseCalibration(JSON.parse(readFileSync(file, "utf8")), "calibration.json");
const model = logModel(calibration);
const baseline = parseDiscipline("none,sharing=fifo-plain");
const SCHEMES = [
  { label: "MapReduce", discipline: "mapreduce,sharing=fifo-plain", set: [] },
  { label: "Order", discipline: "mantri-order", set: [] },
];

describe("a worker's results for phases", () => {
  const phases = samplePhases(model, { seed: 3, phases: 8, longMs: 1_000_000 });
  const { phases: rows = [], restarts = [] } = phaseRows(phases, {
    model,
    baseline,
    schemes: SCHEMES,
  });
  const runs = phases.map(({ phase }) => {
    const time = loggedTimes(model, phase);
    const run = (discipline: typeof baseline) => runPhase(phase, { time, discipline });
    const modified = SCHEMES.map(({ discipline }) => run(parseDiscipline(discipline)));
    return { phase, time, current: run(baseline), modified };
  });

  test.each(SCHEMES.map(({ label }, i) => [label, i] as const))(
    "has the reductions of %s",
    (label, place) => {
      for (const [i, { current, modified }] of runs.entries()) {
        const run = modified[place] ?? current;
        const row = rows[i] ?? {};
        const time = 1 - run.completionMs / current.completionMs;
        expect(row[`completion of ${label}`]).toBeCloseTo(time, 4);
        const resources = 1 - run.resourceMs / current.resourceMs;
        expect(row[`resources of ${label}`]).toBeCloseTo(resources, 4);
      }
    },
  );

  test("has the oracles' reductions", () => {
    for (const [i, { phase, time, current }] of runs.entries()) {
      const taskMs = Array.from(phase.bytes, (_, index) => time({ index, ordinal: 0 }));
      const reduction = (ms: number) => 1 - ms / current.completionMs;
      const row = rows[i] ?? {};
      expect(row["completion of NoSkew"]).toBeCloseTo(
        reduction(noSkewMakespan([{ taskMs }], phase.slots)),
        4,
      );
      expect(row["completion of NoSkew+ChopTail"]).toBeCloseTo(
        reduction(chopTailMakespan([{ taskMs }], phase.slots)),
        4,
      );
    }
  });

  test("weighs phases by their lifetime and the number that they stand for", () => {
    for (const [i, { current }] of runs.entries()) {
      const weight = ((phases[i]?.standsFor ?? 0) * current.completionMs) / 1_000;
      const { weight: measured = 0 } = rows[i] ?? {};
      expect(measured / weight).toBeCloseTo(1, 3);
    }
  });

  test("counts restarts per task, and a phase as often as it stands for others", () => {
    const all = phases.reduce((sum, { standsFor }) => sum + standsFor, 0);
    const perTask = runs.reduce(
      (sum, { modified, phase }, i) =>
        sum + ((phases[i]?.standsFor ?? 0) * (modified[0]?.restarts ?? 0)) / phase.bytes.length,
      0,
    );
    const [{ "perTask of MapReduce": counted = 0, phases: standsFor = 1 } = {}] = restarts;
    expect(counted / standsFor).toBeCloseTo(perTask / all, 4);
  });
});

test("a full run, of more phases than a call has arguments, can be reported", () => {
  const experiments = new URL("../../../../reproduction/experiments/", import.meta.url);
  const json = withConstants(
    JSON.parse(readFileSync(new URL("mantri-phases.json", experiments), "utf8")),
    calibration,
    new Place("bad-experiment", "mantri-phases.json"),
  );
  const place = new Place("bad-experiment", "mantri-phases.json");
  assert(isObject(json) && "rows" in json && Array.isArray(json.rows), "a study's rows");
  const [row] = json.rows.filter(({ setting }) => setting === "Mantri / NoSkew");
  const only = { ...json, rows: [row], drawings: [] };
  const experiment = study.make({ name: "mantri-phases", json: only, place, calibration });
  const count = 200_000;
  const labels = ["Mantri", "Hadoop", "LATE", "MapReduce", "Dryad", "LATE, early"];
  const columns = [...labels, "NoSkew", "NoSkew+ChopTail"].flatMap((label, i) => [
    [`completion of ${label}`, i === 0 ? 0.2 : 0.3],
    [`resources of ${label}`, 0.1],
  ]);
  const phase = { standsFor: 1, weight: 100, ...Object.fromEntries(columns) };
  const counted = labels.flatMap((label) =>
    ["perTask", "launched", "succeeded"].map((name) => [`${name} of ${label}`, 1]),
  );
  const phases = new Array<Row>(count / 2).fill(phase);
  const outcome = packed({ phases, restarts: [{ phases: 1, ...Object.fromEntries(counted) }] });
  const done = [0, 1].map((run) => ({ unit: { key: `${run}`, cost: 1, work: { run } }, outcome }));
  const { measured, notes } = experiment.report(done, { runs: 2, scale: "full" });
  expect(measured[0]?.value).toBeCloseTo(2 / 3, 9);
  expect(notes.at(-1)).toBe(
    "200000 phases, all phases of the logs under 3 networks; the heaviest has 0 % of the weight.",
  );
});

describe("a sample of phases", () => {
  const longMs = 1_000_000;
  const meanMs = (phase: (typeof sample)[number]["phase"]) =>
    phase.fixedMs +
    (phase.msPerByte * phase.bytes.reduce((sum, one) => sum + one, 0)) / phase.bytes.length;
  const sample = samplePhases(model, { seed: 1, phases: 1_500, longMs });

  test("takes all phases with long tasks, and some of the others for many", () => {
    for (const { phase, standsFor } of sample) {
      expect(standsFor).toBeCloseTo(Math.max(1, longMs / meanMs(phase)), 9);
    }
  });

  test("has the mean time of all phases if each counts for those it stands for", () => {
    const all = Array.from({ length: 300 }, (_, job) =>
      drawJob(model, { date: job % model.dates.length, job, seed: 9 }),
    ).flatMap(({ phases }) => phases.map(meanMs));
    const mean = all.reduce((sum, ms) => sum + ms, 0) / all.length;
    const weight = sample.reduce((sum, { standsFor }) => sum + standsFor, 0);
    const weighed = sample.reduce(
      (sum, { phase, standsFor }) => sum + standsFor * meanMs(phase),
      0,
    );
    expect(weighed / weight / mean).toBeGreaterThan(0.75);
    expect(weighed / weight / mean).toBeLessThan(1.25);
  });
});
