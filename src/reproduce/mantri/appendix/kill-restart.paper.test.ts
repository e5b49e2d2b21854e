import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { defined } from "../../../base/assert.ts";
import { randomState } from "../../../base/random.ts";
import { Place } from "../../../base/shape.ts";
import { mean } from "../../../base/stats.ts";
import { appendix } from "./experiment.ts";
import {
  drawBound,
  drawRestarted,
  drawTime,
  killTime,
  meanLongest,
  meanTime,
  restartedTail,
  tailBound,
  tailOf,
  usualTail,
} from "./kill-restart.ts";
import { listSchedule, optimalSchedule } from "./list-schedule.ts";

const BETAS = [1.1, 1.5, 2];
const grid = Array.from({ length: 300 }, (_, i) => 1 + i * 0.1);

describe("appendix A, the tail", () => {
  test("E R is 11 for beta 1.1, 3 for 1.5, 2 for 2, and tasks are killed at E R + 1", () => {
    expect(meanTime(1.1)).toBeCloseTo(11, 9);
    expect(meanTime(1.5)).toBe(3);
    expect(meanTime(2)).toBe(2);
    expect(killTime(usualTail(1.5))).toBe(4);
  });

  test.each(BETAS)("of beta %d: drawn times exceed r with probability r^-beta", (beta) => {
    const chance = randomState(1, "tail");
    const times = Array.from({ length: 40_000 }, () => drawTime(chance, usualTail(beta)));
    for (const r of [1.2, 2, 5]) {
      const above = times.filter((time) => time > r).length / times.length;
      expect(above).toBeCloseTo(tailOf(usualTail(beta), r), 1.7);
    }
  });
});

describe("Proposition 1", () => {
  test.each(BETAS)(
    "beta %d: below t_k the bound is the tail itself, and it is continuous",
    (beta) => {
      const tail = usualTail(beta);
      expect(tailBound(tail, killTime(tail) - 0.5)).toBe(tailOf(tail, killTime(tail) - 0.5));
      expect(tailBound(tail, killTime(tail))).toBeCloseTo(tailOf(tail, killTime(tail)), 9);
    },
  );

  test.each(BETAS)("beta %d: holds where a restart comes delta after the start", (beta) => {
    const tail = usualTail(beta);
    for (const r of grid) {
      expect(restartedTail(tail, r, "early")).toBeLessThanOrEqual(tailBound(tail, r) * (1 + 1e-9));
    }
  });

  test.each(BETAS)(
    "beta %d: does not hold where tasks run until t_k before they are killed",
    (beta) => {
      const tail = usualTail(beta);
      const r = killTime(tail) + 1;
      expect(restartedTail(tail, r, "late")).toBeGreaterThan(tailBound(tail, r));
    },
  );

  test.each(["early", "late"] as const)(
    "the tail of %s restarts is that of tasks begun again",
    (how) => {
      const tail = usualTail(1.5);
      const chance = randomState(2, how);
      const times = Array.from({ length: 40_000 }, () => drawRestarted(chance, tail, how));
      for (const r of [1.5, 3, 4.5, 6]) {
        const above = times.filter((time) => time > r).length / times.length;
        expect(above).toBeCloseTo(restartedTail(tail, r, how), 1.7);
      }
    },
  );

  test("times drawn from the bound have the bound as their tail", () => {
    const tail = usualTail(2);
    const chance = randomState(3, "bound");
    const times = Array.from({ length: 40_000 }, () => drawBound(chance, tail));
    for (const r of [1.5, 2.5, 3.5, 4.5]) {
      const above = times.filter((time) => time > r).length / times.length;
      expect(above).toBeCloseTo(tailBound(tail, r), 1.7);
    }
  });
});

/** Table 3: beta, n, s, and the reduction of the completion time that is printed. */
const TABLE_3 = [
  [1.1, 200, 100, 0.99],
  [1.5, 200, 100, 0.91],
  [1.5, 100, 50, 0.86],
  [2, 100, 50, 0.59],
] as const;

/** Means over many schedules, with R' from the bound of Proposition 1. */
function schedules(beta: number, tasks: number, slots: number) {
  const chance = randomState(6, "schedules");
  const times = (draw: () => number) =>
    Array.from({ length: 400 }, () => Array.from({ length: tasks }, draw));
  const tail = usualTail(beta);
  const of = (all: readonly (readonly number[])[]) => ({
    completion: mean(all.map((one) => listSchedule(one, slots))),
    longest: mean(all.map((one) => Math.max(...one))),
    work: (tasks / slots) * mean(all.map((one) => mean(one))),
  });
  return {
    before: of(times(() => drawTime(chance, tail))),
    after: of(times(() => drawBound(chance, tail))),
  };
}

test.each(TABLE_3)("Proposition 2, beta %d, %d tasks, %d slots", (beta, tasks, slots) => {
  const { before, after } = schedules(beta, tasks, slots);
  const least = Math.max(before.longest, before.work) - after.longest - after.work;
  expect(before.completion - after.completion).toBeGreaterThanOrEqual(least);
});

const FILE = new URL("../../../../reproduction/experiments/mantri-appendix.json", import.meta.url);

/** The experiment itself, as `reproduce` runs it: the rows with R' as Proposition 1 bounds it. */
function table3() {
  const experiment = appendix.make({
    name: "test",
    json: JSON.parse(readFileSync(FILE, "utf8")),
    place: new Place("bad-experiment", "mantri-appendix.json"),
    calibration: { constants: {} },
  });
  const extent = { runs: 20, scale: "full" } as const;
  const done = experiment.units(extent).map((unit) => ({ unit, outcome: experiment.run(unit) }));
  const { measured } = experiment.report(done, extent);
  return TABLE_3.map(([beta, tasks, slots]) =>
    defined(
      measured.find(
        ({ figure, setting }) =>
          figure === "table3" && setting === `beta ${beta}, ${tasks} tasks, ${slots} slots`,
      ),
      "a line of the table",
    ),
  );
}

describe("Table 3", () => {
  const rows = table3();
  const printed = TABLE_3.map(([, , , reduction]) => reduction);

  test("the savings of chopping the tail have the printed order, and are near to it", () => {
    const saved = rows.map(({ value }) => value);
    expect(saved).toEqual([...saved].sort((x, y) => y - x));
    for (const [i, value] of saved.entries()) {
      expect(Math.abs(value - (printed[i] ?? Number.NaN))).toBeLessThan(0.07);
    }
  });

  test("the first two lines round to the printed figures, and the interval contains them", () => {
    for (const i of [0, 1]) {
      const { value, low, high } = defined(rows[i], "a line");
      expect(Math.round(value * 100) / 100).toBe(printed[i]);
      expect(high - low).toBeLessThan(0.005);
    }
  });

  test("the third is a hundredth above, and the fourth rounds to 0.65, not to 0.59", () => {
    const rounded = rows.slice(2).map(({ value }) => Math.round(value * 100) / 100);
    expect(rounded).toEqual([0.87, 0.65]);
  });
});

describe("the longest task", () => {
  test("of one task is any task; of ten of beta 3 its mean agrees with draws", () => {
    expect(meanLongest(1.5, 1)).toBeCloseTo(meanTime(1.5), 12);
    const chance = randomState(8, "longest");
    const longest = Array.from({ length: 20_000 }, () =>
      Math.max(...Array.from({ length: 10 }, () => drawTime(chance, usualTail(3)))),
    );
    expect(mean(longest) / meanLongest(3, 10)).toBeCloseTo(1, 1.5);
  });

  test("of two tasks of beta 2 is 8/3: integrated by hand", () => {
    // P(max > r) = 2 r^-2 - r^-4 from 1 on: 1 + 2 - 1/3.
    expect(meanLongest(2, 2)).toBeCloseTo(8 / 3, 12);
  });
});

describe("a list schedule", () => {
  test("gives each task the first slot that is idle", () => {
    expect(listSchedule([3, 3, 2, 2, 2], 2)).toBe(7);
    expect(listSchedule([1, 2, 3], 1)).toBe(6);
    expect(listSchedule([1, 2, 3], 5)).toBe(3);
  });

  test("lies between the bounds of Lemmas 1 to 3", () => {
    const chance = randomState(4, "lemmas");
    for (let i = 0; i < 200; i += 1) {
      const times = Array.from({ length: 30 }, () => drawTime(chance, usualTail(1.5)));
      const end = listSchedule(times, 7);
      const work = (mean(times) * times.length) / 7;
      expect(end).toBeGreaterThanOrEqual(Math.max(...times, work) - 1e-9);
      expect(end).toBeLessThanOrEqual(Math.max(...times) + work + 1e-9);
    }
  });

  test("is never shorter than the optimum, which is found", () => {
    expect(optimalSchedule([3, 3, 2, 2, 2], 2)).toBe(6);
    expect(optimalSchedule([5, 4, 3, 3, 3], 3)).toBe(7);
    const chance = randomState(5, "optimum");
    for (let i = 0; i < 100; i += 1) {
      const times = Array.from({ length: 8 }, () => drawTime(chance, usualTail(2)));
      expect(optimalSchedule(times, 3)).toBeLessThanOrEqual(listSchedule(times, 3));
    }
  });
});
