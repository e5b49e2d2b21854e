import { never } from "../../base/assert.ts";
import { ascending } from "../../base/order.ts";
import { cell } from "../../base/rows.ts";
import { median, percentile, standardDeviation, sum } from "../../base/stats.ts";
import { evaluate, type Lookup, measuresOf, type Quantity } from "../scenarios/quantity.ts";
import type { Table, Tables } from "./table.ts";

/**
 * A number of a table, for all runs or for one. In the names of columns and in `is`, `*` stands for
 * the setting: "median of LATE" is the measure "median" with "LATE" for each `*`.
 */
export type Measure =
  /** The number of rows; with a column, of those in which it is known. */
  | ({ readonly kind: "count"; readonly column?: string } & Selection)
  /** With `by` "run", the total of the runs' totals, which differs in its last digits. */
  | ({ readonly kind: "total"; readonly column: string; readonly by?: "run" } & Selection)
  | ({ readonly kind: "mean"; readonly column: string } & Selection)
  | ({ readonly kind: "deviation"; readonly column: string } & Selection)
  /** Between the two nearest ranks. */
  | ({ readonly kind: "percentile"; readonly column: string; readonly at: number } & Selection)
  /** The number below which this percentage of the weight lies. */
  | ({ readonly kind: "quantile"; readonly at: number } & Distribution)
  /** The share of the weight whose rows satisfy `that`. */
  | ({ readonly kind: "share"; readonly that: Condition; readonly weight?: string } & Selection)
  /** Pairs of rows with equal numbers, over those of random ones of `among` numbers. */
  | ({ readonly kind: "repeats"; readonly column: string; readonly among: string } & Selection)
  | { readonly kind: "computed"; readonly value: Quantity };

interface Selection {
  readonly table: string;
  /** Rows in which a condition's column is not known are left out. */
  readonly where?: Condition;
}

/** Numbers with weights, 1 each without a column of weights. */
export interface Distribution extends Selection {
  readonly column: string;
  readonly weight?: string;
}

export interface Condition {
  readonly column: string;
  readonly is?: number | "*";
  /** A number, or the column's median over all runs. */
  readonly above?: number | "median";
  readonly upTo?: number | "median";
  readonly below?: number;
}

/** The measures of a study on its tables. */
export class Measures {
  readonly #measures: Readonly<Record<string, Measure>>;
  readonly #tables: Tables;
  /** The numbers that are known, by measure, setting and run: rows share them. */
  readonly #known = new Map<string, number>();

  constructor(measures: Readonly<Record<string, Measure>>, tables: Tables) {
    this.#measures = measures;
    this.#tables = tables;
  }

  /** The quantity over all runs, or in one. */
  value(quantity: Quantity, run?: number): number {
    return evaluate(quantity, this.#lookup(run));
  }

  /** The runs of the tables that the quantity reads, rising. */
  runsOf(quantity: Quantity): readonly number[] {
    const runs = measuresOf(quantity).flatMap(({ measure: name }) => {
      const measure = this.#named(name);
      return measure.kind === "computed"
        ? this.runsOf(measure.value)
        : [...new Set(this.#tables(measure.table).runs)];
    });
    return [...new Set(runs)].sort(ascending((run) => run));
  }

  /** The numbers below which these percentages of the weight lie, over all runs. */
  quantiles(of: Distribution, percentages: readonly number[]): readonly number[] {
    const from = { table: this.#tables(of.table), setting: "", run: undefined };
    return quantiles(of, from, percentages);
  }

  #named(name: string): Measure {
    return cell(this.#measures[name]);
  }

  #lookup(run: number | undefined): Lookup {
    return (name, setting) => {
      const measure = this.#named(name);
      if (measure.kind !== "computed") {
        const key = `${name} of ${setting} in ${run}`;
        const from = { table: this.#tables(measure.table), setting, run };
        const value = this.#known.get(key) ?? measured(measure, from);
        this.#known.set(key, value);
        return value;
      }
      const inside = this.#lookup(run);
      return evaluate(measure.value, (of, own) => inside(of, own === "*" ? setting : own));
    };
  }
}

interface From {
  readonly table: Table;
  readonly setting: string;
  readonly run: number | undefined;
}

function measured(measure: Exclude<Measure, { kind: "computed" }>, from: From): number {
  const { table, setting, run } = from;
  if (measure.kind === "quantile") {
    return cell(quantiles(measure, from, [measure.at])[0]);
  }
  const isIn = inclusion(measure, from);
  const places: number[] = [];
  for (let i = 0; i < table.count; i += 1) if (isIn(i)) places.push(i);
  const numbers = (column: string): readonly number[] => {
    const values = table.column(named(column, setting));
    return places.map((i) => cell(values[i])).filter((value) => !Number.isNaN(value));
  };
  switch (measure.kind) {
    case "count":
      return measure.column === undefined ? places.length : numbers(measure.column).length;
    case "total":
      return measure.by === "run" && run === undefined
        ? sum([...new Set(table.runs)].map((one) => measured(measure, { ...from, run: one })))
        : sum(numbers(measure.column));
    case "mean": {
      const values = numbers(measure.column);
      return sum(values) / values.length;
    }
    case "deviation":
      return standardDeviation(numbers(measure.column));
    case "percentile":
      return percentile(Float64Array.from(numbers(measure.column)).sort(), measure.at);
    case "share": {
      const { that, weight } = measure;
      const weights = weight === undefined ? places.map(() => 1) : numbers(weight);
      const holds = conditionOf(that, table, setting);
      const isKnown = isKnownIn(table, named(that.column, setting));
      const held = weights.filter((_, i) => holds(cell(places[i])));
      return sum(held) / sum(weights.filter((_, i) => isKnown(cell(places[i]))));
    }
    case "repeats": {
      const values = numbers(measure.column);
      const times = new Map<number, number>();
      for (const value of values) times.set(value, (times.get(value) ?? 0) + 1);
      const pairs = sum([...times.values()].map((count) => count * (count - 1)));
      const [among = Number.NaN] = numbers(measure.among);
      return pairs / ((values.length * (values.length - 1)) / among);
    }
    default:
      return never(measure);
  }
}

const named = (column: string, setting: string): string => column.replaceAll("*", setting);

const isKnownIn = (table: Table, column: string): ((place: number) => boolean) => {
  const values = table.column(column);
  return (place) => !Number.isNaN(cell(values[place]));
};

/** Whether a row is of the run and satisfies the selection's condition. */
function inclusion({ where }: Selection, from: From): (place: number) => boolean {
  const { table, setting, run } = from;
  const holds = where === undefined ? () => true : conditionOf(where, table, setting);
  return (place) => (run === undefined || table.runs[place] === run) && holds(place);
}

function conditionOf(
  { column, is, above, upTo, below }: Condition,
  table: Table,
  setting: string,
): (place: number) => boolean {
  const values = table.column(named(column, setting));
  const bound = (given: number | "median") => (given === "median" ? median(values) : given);
  const wanted = is === "*" ? Number(setting) : is;
  const [least, most] = [above, upTo].map((given) => given && bound(given));
  return (place) => {
    const value = cell(values[place]);
    return (
      (wanted === undefined ? !Number.isNaN(value) : value === wanted) &&
      (least === undefined || value > least) &&
      (most === undefined || value <= most) &&
      (below === undefined || value < below)
    );
  };
}

/** The values below which each percentage of the weight lies, in rising order; NaN without any. */
function quantiles(
  of: Distribution,
  from: From,
  percentages: readonly number[],
): readonly number[] {
  const { table, setting } = from;
  const column = named(of.column, setting);
  const values = table.column(column);
  const weights = of.weight === undefined ? undefined : table.column(named(of.weight, setting));
  const isIn = inclusion(of, from);
  const weightAt = (i: number): number => {
    if (Number.isNaN(cell(values[i])) || !isIn(i)) return 0;
    return weights === undefined ? 1 : cell(weights[i]);
  };
  let total = 0;
  for (let i = 0; i < table.count; i += 1) total += weightAt(i);
  const rising = table.rising(column);
  let next = 0;
  let below = 0;
  return percentages.map((at) => {
    if (total === 0) return Number.NaN;
    while (next < rising.length && !(below >= (at / 100) * total && below > 0)) {
      below += weightAt(cell(rising[next]));
      next += 1;
    }
    return cell(values[cell(rising[Math.max(0, next - 1)])]);
  });
}
