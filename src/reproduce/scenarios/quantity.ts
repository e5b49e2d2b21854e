import { defined, never } from "../../base/assert.ts";
import { sum } from "../../base/stats.ts";

/** A number computed from measures: for each run with the same seed, or from the means of all. */
export type Quantity =
  | number
  | { readonly kind: "measure"; readonly measure: string; readonly setting: string }
  /** `over` / `of`: how many times faster `of` is, where both are times. */
  | { readonly kind: "speedup"; readonly of: Quantity; readonly over: Quantity }
  /** (`from` - `of`) / `from`. */
  | { readonly kind: "reduction"; readonly of: Quantity; readonly from: Quantity }
  /** `of` - `from`: how much larger `of` is. */
  | { readonly kind: "difference"; readonly of: Quantity; readonly from: Quantity }
  | { readonly kind: "ratio"; readonly of: Quantity; readonly to: Quantity }
  | {
      readonly kind: "sum" | "product" | "mean" | "min" | "max";
      readonly of: readonly Quantity[];
    };

/** The value of a measure in a setting. */
export type Lookup = (measure: string, setting: string) => number;

/** A share of nothing is not a number. */
export function evaluate(quantity: Quantity, lookup: Lookup): number {
  if (typeof quantity === "number") return quantity;
  const value = (part: Quantity): number => evaluate(part, lookup);
  switch (quantity.kind) {
    case "measure":
      return lookup(quantity.measure, quantity.setting);
    case "speedup":
      return value(quantity.over) / value(quantity.of);
    case "reduction": {
      const from = value(quantity.from);
      return (from - value(quantity.of)) / from;
    }
    case "difference":
      return value(quantity.of) - value(quantity.from);
    case "ratio":
      return value(quantity.of) / value(quantity.to);
    case "sum":
      return sum(quantity.of.map(value));
    case "product":
      return quantity.of.reduce<number>((product, part) => product * value(part), 1);
    case "mean":
      return sum(quantity.of.map(value)) / quantity.of.length;
    case "min":
      return Math.min(...quantity.of.map(value));
    case "max":
      return Math.max(...quantity.of.map(value));
    default:
      return never(quantity);
  }
}

/** The measures that the quantity uses. */
export function measuresOf(
  quantity: Quantity,
): readonly Extract<Quantity, { readonly kind: "measure" }>[] {
  if (typeof quantity === "number") return [];
  switch (quantity.kind) {
    case "measure":
      return [quantity];
    case "speedup":
      return [quantity.of, quantity.over].flatMap(measuresOf);
    case "reduction":
    case "difference":
      return [quantity.of, quantity.from].flatMap(measuresOf);
    case "ratio":
      return [quantity.of, quantity.to].flatMap(measuresOf);
    case "sum":
    case "product":
    case "mean":
    case "min":
    case "max":
      return quantity.of.flatMap(measuresOf);
    default:
      return never(quantity);
  }
}

/** The ways to sum up a list of paired runs. */
export const STATISTICS = ["mean", "min", "max", "deviation"] as const;
export type Statistic = (typeof STATISTICS)[number] | "of means";

export const ALL_STATISTICS: readonly Statistic[] = [...STATISTICS, "of means"];

/** A measure in a setting, by seed. */
export type Samples = (measure: string, setting: string) => readonly number[];

export function perRun(quantity: Quantity, samples: Samples, runs: number): readonly number[] {
  return Array.from({ length: runs }, (_, run) =>
    evaluate(quantity, (measure, setting) =>
      defined(samples(measure, setting)[run], "a value for each seed"),
    ),
  );
}
