import { exp, log, pow } from "../../../base/math.ts";
import { nextFloat, normal, type RandomState, uniform } from "../../../base/random.ts";
import type { OutlierModel } from "./model.ts";

export function lognormal(
  chance: RandomState,
  { median, sigma }: { readonly median: number; readonly sigma: number },
): number {
  return median * exp(sigma * normal(chance));
}

/**
 * An outlier's time as a multiple of its phase's median. §4.1, Figure 3: most are mild, evenly
 * spread; a tenth are extreme, with a heavy tail; the rest lie between them, evenly on a log scale.
 */
export function outlierSize(chance: RandomState, { mild, extreme }: OutlierModel): number {
  const which = nextFloat(chance);
  if (which < mild.share) return uniform(chance, mild);
  if (which < 1 - extreme.share) {
    return mild.to * exp(nextFloat(chance) * log(extreme.from / mild.to));
  }
  const { from, shape, to } = extreme;
  const least = pow(from / to, shape);
  return from * pow(1 - nextFloat(chance) * (1 - least), -1 / shape);
}
