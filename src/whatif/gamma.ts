import { log, pow } from "../base/math.ts";
import { nextFloat, normal, type RandomState } from "../base/random.ts";

/** A gamma variable of scale 1: the method of Marsaglia and Tsang (2000). `shape` is above 0. */
export function gamma(state: RandomState, shape: number): number {
  // A smaller shape follows from the next larger one.
  if (shape < 1) return gamma(state, shape + 1) * pow(1 - nextFloat(state), 1 / shape);
  const d = shape - 1 / 3;
  const c = 1 / Math.sqrt(9 * d);
  for (;;) {
    const x = normal(state);
    const v = (1 + c * x) * (1 + c * x) * (1 + c * x);
    if (v <= 0) continue;
    const u = 1 - nextFloat(state);
    if (log(u) < 0.5 * x * x + d * (1 - v + log(v))) return d * v;
  }
}
