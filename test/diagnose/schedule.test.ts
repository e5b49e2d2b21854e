import { describe, expect, test } from "vitest";
import { planOf } from "../../src/diagnose/schedule/plan.ts";
import { recordedTiming, schedule } from "../../src/diagnose/schedule/schedule.ts";
import { makeWorld } from "./support/world.ts";

describe("the recorded schedule", () => {
  test("is reproduced to the millisecond in 60 generated worlds", () => {
    for (let seed = 1; seed <= 60; seed++) {
      const { job } = makeWorld(seed);
      const plan = planOf(job);
      const times = schedule(plan, recordedTiming(plan));
      let worst = 0;
      for (let i = 0; i < plan.count; i++) {
        const off = (a: Float64Array, b: Float64Array): number =>
          Math.abs((a[i] ?? 0) - (b[i] ?? 0));
        worst = Math.max(worst, off(times.start, plan.start), off(times.end, plan.end));
        if (Number.isNaN(times.start[i]))
          throw new Error(`world ${seed}: attempt ${i} did not run`);
      }
      expect([seed, Math.round(worst * 1e3) / 1e3]).toEqual([seed, 0]);
    }
  });
});
