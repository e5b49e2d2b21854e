import { never } from "./assert.ts";
import { exp } from "./math.ts";
import { exponential, normal, pareto, pick, type RandomState, uniform } from "./random.ts";

/** A number, or a distribution to draw it from. */
export type Chance =
  | number
  | { readonly kind: "uniform"; readonly from: number; readonly to: number }
  | { readonly kind: "exponential"; readonly mean: number }
  | { readonly kind: "lognormal"; readonly median: number; readonly sigma: number }
  /** P(X > x) = (minimum / x) ^ shape, cut off at `maximum`. */
  | {
      readonly kind: "pareto";
      readonly minimum: number;
      readonly shape: number;
      readonly maximum: number;
    }
  /** Each value as likely as the others. */
  | { readonly kind: "choice"; readonly values: readonly number[] };

/** Draws a number; a plain number takes nothing from the stream. */
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
