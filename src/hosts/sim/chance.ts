import { never } from "../../base/assert.ts";
import { exp } from "../../base/math.ts";
import { exponential, normal, pareto, pick, type RandomState, uniform } from "../../base/random.ts";
import type { Chance } from "./scenario.ts";

export function draw(state: RandomState, chance: Chance): number {
  if (typeof chance === "number") return chance;
  switch (chance.kind) {
    case "uniform":
      return uniform(state, chance);
    case "exponential":
      return exponential(state, chance.mean);
    case "lognormal":
      return chance.median * exp(chance.sigma * normal(state));
    case "pareto":
      return Math.min(chance.maximum, pareto(state, chance));
    case "choice":
      return pick(state, chance.values);
    default:
      return never(chance);
  }
}
