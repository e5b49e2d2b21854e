import { test } from "vitest";
import { runWorld } from "./run-world.ts";

/** The number of worlds in one test; a failure names the world. */
const WORLDS_PER_TEST = 25;
/** One world in this many has its journal replayed. */
const REPLAYED = 5;

/** WORLDS=5000 runs more than the default of 500; `npm run worlds` runs many more at once. */
export function runShard(shard: number, shards: number): void {
  const worlds = Number(process.env.WORLDS ?? 500);
  for (let first = shard * WORLDS_PER_TEST; first < worlds; first += shards * WORLDS_PER_TEST) {
    const seeds = Array.from({ length: WORLDS_PER_TEST }, (_, index) => first + index);
    test(`worlds ${first} to ${first + WORLDS_PER_TEST - 1} end, and keep every invariant`, () => {
      for (const seed of seeds) runWorld(seed, { isReplayed: seed % REPLAYED === 0 });
    });
  }
}
