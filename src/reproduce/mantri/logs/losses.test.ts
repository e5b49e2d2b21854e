import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { randomState, split } from "../../../base/random.ts";
import { sum } from "../../../base/stats.ts";
import { parseCalibration } from "../../calibration.ts";
import type { JobLog } from "./job-log.ts";
import { type Exposed, lossesOf, machineOf } from "./losses.ts";
import { logModel } from "./model.ts";
import type { PhaseLog } from "./phase-log.ts";

const file = new URL("../../../../reproduction/calibration.json", import.meta.url);
const drawn = logModel(
  parseCalibration(JSON.parse(readFileSync(file, "utf8")), "calibration.json"),
);
/** Losses are frequent, and each recomputation takes as long as the task did. */
const model = {
  ...drawn,
  losses: { ...drawn.losses, perMachineHour: 0.01, together: 1, normal: 1, extreme: 0 },
  contention: { ...drawn.contention, noise: 0 },
};
const HOUR = 3_600_000;
const TASKS = 10;

function phase(number: number, busyness = 1): PhaseLog {
  return {
    name: `extract-${number}`,
    role: "extract",
    slots: 2,
    bytes: new Float64Array(TASKS),
    msPerByte: 1,
    fixedMs: 0,
    usualMs: 1,
    contended: { outliers: 0, part: 0 },
    time: { beginMs: 0, busyness },
    hindrance: { outliers: 0, slowed: 0 },
    crossRack: 0,
    chance: split(randomState(3, "losses"), number),
  };
}

const jobOf = (phases: readonly PhaseLog[], edges: JobLog["edges"] = []): JobLog => {
  return { name: "job", phases, edges, drawn: { date: 0, seed: 1, chance: randomState(1) } };
};

const times = new Array<number>(TASKS).fill(100);
const exposed = (unreadMs: number): Exposed => ({ times, unreadMs });

/** A thousand separate phases. */
function lost(unreadMs: number, busyness = 1): number {
  const phases = Array.from({ length: 1_000 }, (_, i) => phase(i, busyness));
  return lossesOf(
    model,
    jobOf(phases),
    phases.map(() => exposed(unreadMs)),
  ).length;
}

describe("losses", () => {
  test("are in proportion to machines, hours and busyness", () => {
    // 0.01 per machine and hour, 10 machines, 1,000 phases.
    expect(lost(HOUR)).toBeGreaterThan(80);
    expect(lost(HOUR)).toBeLessThan(120);
    expect(lost(4 * HOUR) / lost(HOUR)).toBeGreaterThan(3);
    expect(lost(HOUR, 4) / lost(HOUR)).toBeGreaterThan(3);
  });

  test("do not hit outputs that have no readers left", () => {
    expect(lost(0)).toBe(0);
  });

  test("are recomputed in the time of a task", () => {
    const [loss] = lossesOf(model, jobOf([phase(1)]), [exposed(1_000 * HOUR)]);
    expect(loss?.redoMs).toBe(100);
  });

  test("include inputs on the same machine, which are recomputed first", () => {
    const edges = [
      { from: 0, to: 1, barrier: false },
      { from: 1, to: 2, barrier: false },
    ];
    const job = jobOf([phase(1), phase(2), phase(3)], edges);
    const all = lossesOf(model, job, [exposed(0), exposed(0), exposed(1_000 * HOUR)]);
    expect(all.length).toBeGreaterThan(0);
    for (const { redoMs } of all) expect(redoMs).toBe(300);
  });

  test("seldom include an output behind a barrier, which may be anywhere", () => {
    const edges = [{ from: 0, to: 1, barrier: true }];
    const job = jobOf([phase(1), phase(2)], edges);
    const all = lossesOf(model, job, [exposed(0), exposed(10_000 * HOUR)]);
    const cascaded = all.filter(({ redoMs }) => redoMs > 100).length;
    // 10 outputs on 4,000 machines.
    expect(all.length).toBeGreaterThan(800);
    expect(cascaded / all.length).toBeLessThan(0.02);
  });

  test("come from few machines half of the time", () => {
    const chance = randomState(1, "machines");
    const { machines, flaky, onFlaky } = model.losses;
    const draws = Array.from({ length: 10_000 }, () => machineOf(model.losses, chance));
    const onFew = sum(draws.map((machine) => (machine < machines * flaky ? 1 : 0)));
    expect(onFew / draws.length).toBeCloseTo(onFlaky, 1);
    expect(Math.max(...draws)).toBeLessThan(machines);
  });
});
