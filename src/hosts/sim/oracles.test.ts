import fc from "fast-check";
import { expect, test } from "vitest";
import { parseDiscipline } from "../../policy/discipline.ts";
import { chopTailMakespan, makespanLowerBound, noSkewMakespan } from "./oracles.ts";
import { parseScenario } from "./parse-scenario.ts";
import { simulateOnce } from "./simulate-once.ts";

test("the maximum of work over slots, whole tasks, and the longest task on the best slot", () => {
  const slots = [{ factor: 1 }, { factor: 2 }];
  expect(makespanLowerBound([{ taskMs: [30, 30, 30] }], slots)).toBe(60);
  expect(makespanLowerBound([{ taskMs: [100] }], slots)).toBe(100);
  expect(makespanLowerBound([{ taskMs: [30, 30, 30, 30, 30] }], slots)).toBe(120);
  expect(makespanLowerBound([{ taskMs: [30, 30, 10] }], slots)).toBeCloseTo(70 / 1.5, 9);
  expect(makespanLowerBound([{ taskMs: [30, 30, 30] }, { taskMs: [100] }], slots)).toBe(160);
});

test("without skew every wave takes the mean; without the tail, the mean of the rest", () => {
  const phases = [{ taskMs: [10, 10, 10, 50] }];
  expect(noSkewMakespan(phases, 2)).toBe(40);
  expect(chopTailMakespan(phases, 2)).toBe(20);
});

test("no simulated schedule ends below the lower bound, or on one slot above the sum", () => {
  const times = fc.array(fc.integer({ min: 1, max: 1_000 }), { minLength: 1, maxLength: 12 });
  const factors = fc.array(fc.constantFrom(1, 1.5, 3), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(times, factors, (taskMs, slotFactors) => {
      const jobs = taskMs.map((durationMs, i) => ({
        name: `job${i}`,
        phases: [{ name: "map", slots: ["map"], tasks: 1, work: { kind: "fixed", durationMs } }],
      }));
      const nodes = slotFactors.map((factor, i) => ({ name: `n${i}`, factor, slots: { map: 1 } }));
      const scenario = parseScenario(
        {
          name: "s",
          cluster: { nodes, heartbeatMs: 0 },
          jobs,
          study: { disciplines: [{ discipline: "none" }] },
        },
        "s",
      );
      const discipline = parseDiscipline("none,sharing=fifo-plain");
      const { makespanMs } = simulateOnce(scenario, { seed: 1, discipline });
      const slots = slotFactors.map((factor) => ({ factor }));
      expect(makespanMs).toBeGreaterThanOrEqual(makespanLowerBound([{ taskMs }], slots) - 1e-6);
      const slowest = Math.max(...slotFactors);
      expect(makespanMs).toBeLessThanOrEqual(taskMs.reduce((sum, ms) => sum + ms, 0) * slowest);
    }),
    { numRuns: 60 },
  );
});
