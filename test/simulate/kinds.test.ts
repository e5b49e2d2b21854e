import { describe, expect, test } from "vitest";
import { parseDiscipline } from "../../src/policy/discipline.ts";
import { REGISTRY } from "../../src/policy/registry.ts";
import { planWorld } from "../../src/testing/plan.ts";

/** The number of worlds that the project `worlds` runs: none of them runs here. */
const plans = Array.from({ length: 500 }, (_, seed) => planWorld(seed));
const disciplines = plans.map(({ discipline, sets }) => parseDiscipline(discipline, sets));

/** The number of worlds for each value. */
function countsOf<T>(values: readonly T[]): Map<T, number> {
  const counts = new Map<T, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}

describe("the worlds that run at every change have each kind several times", () => {
  test.each(["sharing", "order", "speculation", "estimator", "detection"] as const)(
    "every policy of %s",
    (seat) => {
      const counts = countsOf(disciplines.map((discipline) => discipline[seat].policy.name));
      for (const { policy } of REGISTRY[seat]) {
        expect(counts.get(policy.name), policy.name).toBeGreaterThan(4);
      }
    },
  );

  test("every policy of data", () => {
    const counts = countsOf(
      disciplines.flatMap(({ data }) => data.map(({ policy }) => policy.name)),
    );
    for (const { policy } of REGISTRY.data) {
      expect(counts.get(policy.name), policy.name).toBeGreaterThan(4);
    }
  });

  test.each(Object.keys(planWorld(0).chances))("trouble: %s", (name) => {
    const troubled = plans.filter(({ chances }) =>
      Object.entries(chances).some(([of, chance]) => of === name && chance > 0),
    );
    expect(troubled.length).toBeGreaterThan(100);
  });

  test.each([
    ["askAgainMs", [200, 2_000, 3_000, 10_000]],
    ["longestMs", [5_000, 20_000, 60_000]],
    ["statisticsEvery", [0, 5_000]],
    ["attemptsMax", [2, 4]],
    ["heartbeatMs", [0, 300, 3_000]],
    ["offersSlots", [true, false]],
    ["wholeMs", [true, false]],
    ["progress", ["curve", "reported", "mixed"]],
  ] as const)("%s", (option, values) => {
    const counts = countsOf<unknown>(plans.map((plan) => plan[option]));
    for (const value of values) expect(counts.get(value), `${value}`).toBeGreaterThan(4);
    expect(counts.size).toBe(values.length);
  });

  test("policies that misbehave on purpose", () => {
    const counts = countsOf(plans.flatMap(({ seats }) => seats));
    for (const seat of ["chaos", "protection", "sharing"] as const) {
      expect(counts.get(seat), seat).toBeGreaterThan(100);
    }
  });

  test("Spark that looks ten times a second, as in Spark", () => {
    const sparks = plans.filter((_, seed) => {
      return "intervalMs" in (disciplines[seed]?.speculation.params ?? {});
    });
    const restless = sparks.filter(({ lookEveryMs }) => lookEveryMs === 100).length;
    expect(restless).toBeGreaterThan(1);
    expect(restless).toBeLessThan(sparks.length / 4);
  });
});
