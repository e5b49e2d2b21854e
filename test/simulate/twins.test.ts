import { expect, test } from "vitest";
import { replay } from "../../src/core/journal/index.ts";
import { planWorld } from "../../src/testing/plan.ts";
import { cases } from "../support/cases.ts";
import { twinsIn } from "./plans.ts";
import { World } from "./world.ts";

/**
 * Worlds in which LATE is compared with a simple twin at each look; `npm run worlds` has far more.
 */
const WORLDS = cases({ all: 60, sample: 24 });

test.each(["progress-rate", "phase-aware"] as const)(
  "the indexes agree with a dumb recount in random worlds, under %s",
  (estimator) => {
    let steps = 0;
    for (let seed = 0; seed < WORLDS; seed++) {
      const world = new World(twinsIn(seed, estimator));
      try {
        world.run();
      } catch (error) {
        throw new Error(`world ${seed} at ${world.clock.now} ms, step ${world.steps}`, {
          cause: error,
        });
      }
      steps += world.steps;
    }
    expect(steps).toBeGreaterThan(167 * WORLDS);
  },
);

test("a range of fresh tasks decides like a record of each task", () => {
  let ranged = 0;
  for (let seed = 0; seed < WORLDS; seed++) {
    const world = new World(planWorld(seed));
    world.run();
    const { discipline } = world.setup;
    const { order } = discipline;
    if (order.policy.freshByIndex === true) ranged += 1;
    const policy = { ...order.policy, freshByIndex: false };
    const recorded = () => ({ ...discipline, order: { ...order, policy } });
    const same = { kind: "same", steps: world.steps };
    expect(replay(world.journal, recorded), `world ${seed}`).toEqual(same);
  }
  expect(ranged).toBeGreaterThan(WORLDS / 3);
});
