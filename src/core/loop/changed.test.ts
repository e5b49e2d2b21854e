import { expect, test } from "vitest";
import { steadily } from "../../../test/support/curves.ts";
import { World } from "../../../test/support/world.ts";

test("the least rate of a phase falls while a node is silent, and not for good", () => {
  const world = new World({
    ...{ discipline: "late", nodes: 2, slots: [1, 0] },
    runs: () => steadily(100_000),
  });
  world.submit({ maps: 2 });
  const { phase } = world.view.task(world.task("map", 0));
  const leastRateAt = (at: number): number => world.advance(at).look().ratePercentile(phase, 0);
  expect(leastRateAt(10_000)).toBeCloseTo(1 / 100_000, 12);
  world.silence("n1");
  // A tenth was done when the node fell silent.
  expect(leastRateAt(20_000)).toBeCloseTo(0.1 / 20_000, 12);
  expect(leastRateAt(40_000)).toBeCloseTo(0.1 / 40_000, 12);
  world.hear("n1");
  expect(leastRateAt(50_000)).toBeCloseTo(1 / 100_000, 12);
});
