import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { chopTailMakespan, noSkewMakespan } from "../../../hosts/sim/oracles.ts";
import { parseDiscipline } from "../../../policy/discipline.ts";
import { parseCalibration } from "../../calibration.ts";
import { drawJob } from "../logs/job-log.ts";
import { logModel } from "../logs/model.ts";
import { describeSample, PhaseFigures } from "./figures.ts";
import { outcomesOf, runPhases } from "./outcome.ts";
import { loggedTimes, runPhase } from "./phase-run.ts";
import { samplePhases } from "./sample.ts";

const file = new URL("../../../../reproduction/calibration.json", import.meta.url);
const model = logModel(
  parseCalibration(JSON.parse(readFileSync(file, "utf8")), "calibration.json"),
);
const baseline = parseDiscipline("none,sharing=fifo-plain");
const LABELS = ["MapReduce", "Order"];
const SCHEMES = ["mapreduce,sharing=fifo-plain", "mantri-order"].map((one) => parseDiscipline(one));

describe("a worker's results for phases", () => {
  const phases = samplePhases(model, { seed: 3, phases: 8, longMs: 1_000_000 });
  const outcome = runPhases(phases, { model, baseline, schemes: SCHEMES });
  const unit = { key: "unit", cost: 1, work: { run: 0 } };
  const outcomes = outcomesOf([{ unit, outcome }], LABELS);
  const runs = phases.map(({ phase }) => {
    const time = loggedTimes(model, phase);
    const run = (discipline: typeof baseline) => runPhase(phase, { time, discipline });
    return { phase, time, current: run(baseline), modified: SCHEMES.map(run) };
  });

  test.each(LABELS)("has the reductions of %s", (label) => {
    const place = LABELS.indexOf(label);
    const { values: times } = outcomes.completion(label);
    const { values: resources } = outcomes.resources(label);
    for (const [i, { current, modified }] of runs.entries()) {
      const run = modified[place] ?? current;
      expect(times[i]).toBeCloseTo(1 - run.completionMs / current.completionMs, 4);
      expect(resources[i]).toBeCloseTo(1 - run.resourceMs / current.resourceMs, 4);
    }
  });

  test("has the oracles' reductions", () => {
    for (const [i, { phase, time, current }] of runs.entries()) {
      const taskMs = Array.from(phase.bytes, (_, index) => time({ index, ordinal: 0 }));
      const reduction = (ms: number) => 1 - ms / current.completionMs;
      expect(outcomes.completion("NoSkew").values[i]).toBeCloseTo(
        reduction(noSkewMakespan([{ taskMs }], phase.slots)),
        4,
      );
      expect(outcomes.completion("NoSkew+ChopTail").values[i]).toBeCloseTo(
        reduction(chopTailMakespan([{ taskMs }], phase.slots)),
        4,
      );
    }
  });

  test("weighs phases by their lifetime and the number that they stand for", () => {
    const { weights } = outcomes.completion("MapReduce");
    for (const [i, { current }] of runs.entries()) {
      const weight = ((phases[i]?.standsFor ?? 0) * current.completionMs) / 1_000;
      expect((weights[i] ?? 0) / weight).toBeCloseTo(1, 3);
    }
  });

  test("counts restarts per task, and a phase as often as it stands for others", () => {
    const all = phases.reduce((sum, { standsFor }) => sum + standsFor, 0);
    const perTask = runs.reduce(
      (sum, { modified, phase }, i) =>
        sum + ((phases[i]?.standsFor ?? 0) * (modified[0]?.restarts ?? 0)) / phase.bytes.length,
      0,
    );
    const [group] = outcomes.restarts("MapReduce");
    expect((group?.perTask ?? 0) / (group?.phases ?? 1)).toBeCloseTo(perTask / all, 4);
  });
});

test("a full run, of more phases than a call has arguments, can be reported", () => {
  // More than a call may have arguments.
  const count = 200_000;
  const row = [1, 100, 0.2, 0.1, 0.1, 0, 0.3, 0.4];
  const outcome = [[1, 2, 1], [1, 2, 1], ...new Array<readonly number[]>(count / 2).fill(row)];
  const done = [0, 1].map((run) => ({ unit: { key: `${run}`, cost: 1, work: { run } }, outcome }));
  const outcomes = outcomesOf(done, LABELS);
  expect(outcomes).toMatchObject({ phases: count, runs: 2 });
  const made = new PhaseFigures(outcomes, { seen: 0.005 });
  expect(made.nearness("fig18", ["MapReduce", "NoSkew"]).value).toBeCloseTo(2 / 3, 9);
  const networks = { run: 3, all: 3 };
  expect(describeSample(outcomes, { logged: 215_400, networks, longMs: undefined })).toBe(
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
