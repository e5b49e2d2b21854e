import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parseCalibration } from "../../calibration.ts";
import { anotherRun } from "./another-run.ts";
import { drawJob } from "./job-log.ts";
import { logModel } from "./model.ts";
import { outliersAt, timeAt } from "./phase-log.ts";

const file = new URL("../../../../reproduction/calibration.json", import.meta.url);
const model = logModel(
  parseCalibration(JSON.parse(readFileSync(file, "utf8")), "calibration.json"),
);
const HOUR = model.times.spellMs;
const date = { date: 2, seed: 5 };

describe("how busy the cluster is", () => {
  test("is constant within an hour, and differs in the next", () => {
    const { busyness } = timeAt(model, date, 7 * HOUR);
    expect(timeAt(model, date, 8 * HOUR - 1).busyness).toBe(busyness);
    expect(timeAt(model, date, 8 * HOUR).busyness).not.toBe(busyness);
  });

  test("differs on another date, and in another world", () => {
    const { busyness } = timeAt(model, date, 0);
    expect(timeAt(model, { ...date, date: 3 }, 0).busyness).not.toBe(busyness);
    expect(timeAt(model, { ...date, seed: 6 }, 0).busyness).not.toBe(busyness);
  });

  test("makes outliers of attempts that contend, up to a limit", () => {
    const contended = { outliers: 0.1, part: 0.5 };
    expect(outliersAt(model, contended, 1)).toBeCloseTo(0.05, 12);
    expect(outliersAt(model, contended, 2)).toBeCloseTo(0.1, 12);
    expect(outliersAt(model, contended, 1e9)).toBe(0.5 * model.outliers.shareMost);
  });

  test("is the busyness that a phase of the logs met at its time", () => {
    for (const phase of drawJob(model, { ...date, job: 4 }).phases) {
      const { beginMs, busyness } = phase.time;
      expect(busyness).toBe(timeAt(model, date, beginMs).busyness);
      expect(phase.hindrance.outliers).toBe(outliersAt(model, phase.contended, busyness));
    }
  });
});

describe("another run of a job", () => {
  const job = drawJob(model, { ...date, job: 4 });
  const again = anotherRun(model, job, 1);

  test("is the same whenever it is drawn, and differs from the next", () => {
    expect(anotherRun(model, job, 1)).toEqual(again);
    expect(anotherRun(model, job, 2)).not.toEqual(again);
  });

  test("has the same code and the same data, at another time", () => {
    for (const [i, phase] of again.phases.entries()) {
      const first = job.phases[i];
      expect(phase.bytes).toBe(first?.bytes);
      expect(phase.msPerByte).toBe(first?.msPerByte);
      expect(phase.time.beginMs).not.toBe(first?.time.beginMs);
    }
  });

  test("has more or fewer slots, by the cluster's idle slots", () => {
    const most = 1 / (1 - model.jobs.idleSlotsMost);
    for (const [i, { slots }] of again.phases.entries()) {
      const ratio = slots / (job.phases[i]?.slots ?? 0);
      // Slots are whole, and at least one.
      expect(ratio).toBeGreaterThan(1 / most / 1.5);
      expect(ratio).toBeLessThan(most * 1.5);
    }
  });
});
