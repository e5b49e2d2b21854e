import { ascending } from "../../base/order.ts";
import { sum } from "../../base/stats.ts";

/** The value below which q of the weight lies, q from 0 to 1. */
export function weightedQuantile(
  of: { readonly values: readonly number[]; readonly weights: readonly number[] },
  q: number,
): number {
  const { values, weights } = of;
  const rising = values
    .map((_, i) => i)
    .sort(
      ascending(
        (i) => values[i] ?? 0,
        ascending((i) => i),
      ),
    );
  const total = sum(weights);
  let below = 0;
  let last = 0;
  for (const i of rising) {
    below += weights[i] ?? 0;
    last = values[i] ?? 0;
    if (below >= q * total && below > 0) return last;
  }
  return last;
}
