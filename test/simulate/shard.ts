import { expect, test } from "vitest";
import { replay } from "../../src/core/journal/index.ts";
import { planWorld } from "../../src/testing/plan.ts";
import { World } from "./world.ts";

/** Worlds in one test; a failure names the one. */
const WORLDS_PER_TEST = 25;
/** Each so many's journal is replayed. */
const REPLAYED = 5;

/**
 * WORLD_SEED=123 runs that world alone; WORLD_TAIL lines of its journal are shown (12). WORLDS=5000
 * runs more than the default of 500.
 */
export function runShard(shard: number, shards: number): void {
  const only = process.env.WORLD_SEED;
  if (only !== undefined) {
    if (shard === 0) test(`world ${only}`, () => runWorld(Number(only)));
    else test.skip("the world is run by the first shard");
    return;
  }
  const worlds = Number(process.env.WORLDS ?? 500);
  for (let first = shard * WORLDS_PER_TEST; first < worlds; first += shards * WORLDS_PER_TEST) {
    const seeds = Array.from({ length: WORLDS_PER_TEST }, (_, index) => first + index);
    test(`worlds ${first} to ${first + WORLDS_PER_TEST - 1} end, and keep every invariant`, () => {
      for (const seed of seeds) runWorld(seed);
    });
  }
}

export function runWorld(seed: number): void {
  const world = new World(planWorld(seed));
  try {
    world.run();
  } catch (error) {
    const problem = error instanceof Error ? error : new Error(String(error));
    problem.message += `\nat ${world.clock.now} ms, step ${world.steps} of world ${seed}; alone:\n`;
    problem.message += `  WORLD_SEED=${seed} npx vitest run --project worlds`;
    const tail = Number(process.env.WORLD_TAIL ?? 12);
    if (process.env.WORLD_SEED) problem.message += `\n${world.journal.slice(-tail).join("\n")}`;
    throw problem;
  }
  if (seed % REPLAYED !== 0) return;
  const replayed = replay(world.journal, () => world.setup.discipline);
  expect(replayed, `the journal of world ${seed}`).toEqual({ kind: "same", steps: world.steps });
}
