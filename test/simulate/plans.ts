import { type Plan, planWorld } from "../../src/testing/plan.ts";

/** In one random world of this many, LATE is compared with a simple twin at each look. */
const TWINS_EVERY = 10;

/** The plan of a random world, drawn from its seed. */
export function planOf(seed: number): Plan {
  const place = seed % (2 * TWINS_EVERY);
  if (place === TWINS_EVERY - 1) return twinsIn(seed, "progress-rate");
  return place === 2 * TWINS_EVERY - 1 ? twinsIn(seed, "phase-aware") : planWorld(seed);
}

/** The world of the seed, under LATE beside its twin. */
export const twinsIn = (seed: number, estimator: "progress-rate" | "phase-aware"): Plan => ({
  ...planWorld(seed),
  discipline: `late,sharing=fifo-plain,estimator=${estimator}`,
  seats: ["twins"],
  statisticsEvery: 0,
  offersSlots: true,
  progress: seed % 4 < 2 ? "curve" : "mixed",
});
