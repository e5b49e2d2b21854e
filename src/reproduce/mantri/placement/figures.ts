import { assert, defined } from "../../../base/assert.ts";
import { pow } from "../../../base/math.ts";
import { interval95, median as medianOf, sum } from "../../../base/stats.ts";
import type { Curve } from "../../../report/chart/drawing.ts";
import type { Done, ExperimentReport, Measured } from "../../experiment.ts";
import { over, sectioned } from "../estimate.ts";
import { partsOf, type WeightedCounts, WeightedDistribution } from "../phases/weighted.ts";
import { column, numberOf, rowsOf } from "../study.ts";

/** The placements in the order in which they run. */
export const PLACED = ["Dryad", "Mantri", "Start", "Equal", "Start, just sampled"] as const;
/** §6.1: knows how the links change. */
const IDEAL = "IdealReduce";
/** All placements, and the one that turned out best. */
const LABELS: readonly string[] = [...PLACED, IDEAL];
/** The placements in the paper's curves. */
const COMPARED = ["Mantri", "Start", "Equal", IDEAL];

/** `of`: the population that the phases are a sample of. */
export function report(
  { phases, groupBy }: { readonly phases: readonly Done[]; readonly groupBy: readonly Done[] },
  { runs, of }: { readonly runs: number; readonly of: string },
): ExperimentReport {
  const rows = phases.flatMap(rowsOf);
  const runOf = phases.flatMap((unit) => rowsOf(unit).map(() => numberOf(unit.unit.work, "run")));
  const made = new PlacementFigures(rows, runOf, runs);
  return {
    measured: [...made.rows(), ...figure14(groupBy.flatMap(rowsOf))],
    drawings: made.drawings(),
    notes: [
      `${rows.length} phases of reduces of ${of}`,
      "IdealReduce is the placement that turned out best of all that are compared.",
    ],
  };
}

const MEDIAN = "reduction of completion time, 50th percentile";
/** Half of the phases, by their time under the baseline placement. */
type Half = "short" | "long";

class PlacementFigures {
  readonly #rows: readonly (readonly number[])[];
  readonly #runOf: readonly number[];
  readonly #runs: number;

  constructor(rows: readonly (readonly number[])[], runOf: readonly number[], runs: number) {
    this.#rows = rows;
    this.#runOf = runOf;
    this.#runs = runs;
  }

  rows(): readonly Measured[] {
    const ideal = this.#reductions(IDEAL, "each alike");
    const byLifetime = new Map(
      COMPARED.map((label) => [label, this.#reductions(label, "by lifetime")]),
    );
    const median = (label: string, counts: WeightedCounts) =>
      defined(byLifetime.get(label), "a scheme").quantile(0.5, counts);
    return [
      this.#row(
        "fig5",
        "current placement",
        "longer than the ideal one, median phase",
        (counts) => 1 / (1 - ideal.quantile(0.5, counts)) - 1,
      ),
      ...COMPARED.map((label) =>
        this.#row("fig19", label, MEDIAN, (counts) => median(label, counts)),
      ),
      ...["Start", "Equal"].map((other) =>
        this.#row("fig19", `Mantri - ${other}`, MEDIAN, (counts) => {
          return median("Mantri", counts) - median(other, counts);
        }),
      ),
      this.#row("fig19", `Mantri over ${IDEAL}`, MEDIAN, (counts) => {
        return median("Mantri", counts) / median(IDEAL, counts);
      }),
      this.#betterIn("short", "Start", "Equal"),
      this.#betterIn("long", "Equal", "Start"),
      ...this.#figure20(),
    ];
  }

  /** How much better one estimate of the bandwidths is than another in half of the phases. */
  #betterIn(half: Half, one: string, other: string): Measured {
    const [better, worse] = [one, other].map((label) => {
      return this.#reductions(label, "by lifetime", half);
    });
    return this.#row("fig19", `${one} - ${other}, ${half} phases`, MEDIAN, (counts) => {
      const median = (of: WeightedDistribution | undefined) =>
        defined(of, "a scheme").quantile(0.5, counts);
      return median(better) - median(worse);
    });
  }

  #figure20(): readonly Measured[] {
    const metric = (q: string) => `median over slowest throughput, ${q}`;
    const mantri = this.#ratios("Mantri");
    const dryad = this.#ratios("Dryad");
    return [
      this.#row("fig20", "Mantri", metric("50th percentile"), (c) => mantri.quantile(0.5, c)),
      this.#row("fig20", "Mantri", metric("largest"), (c) => mantri.quantile(1, c)),
      this.#row("fig20", "Mantri", "2 - median over slowest throughput, largest", (c) => {
        return 2 - mantri.quantile(1, c);
      }),
      this.#row("fig20", "Dryad", metric("50th percentile"), (c) => dryad.quantile(0.5, c)),
      this.#row("fig20", "Dryad", metric("75th percentile"), (c) => dryad.quantile(0.75, c)),
      this.#row(
        "fig20",
        "Dryad - Mantri",
        metric("75th percentile"),
        (c) => dryad.quantile(0.75, c) - mantri.quantile(0.75, c),
      ),
    ];
  }

  drawings() {
    const counts = new Array<number>(this.#runs).fill(1);
    const curve = (label: string, of: WeightedDistribution, times: number): Curve => ({
      label,
      points: PERCENTILES.map((y) => ({ x: times * of.quantile(y / 100, counts), y })),
    });
    const common = { kind: "curves", steps: false } as const;
    const y = { title: "cumulative share, %", from: 0, to: 100 };
    return [
      {
        ...common,
        figure: "fig19",
        title: "Reduces placed by the network, weighed by their lifetime",
        x: { title: "reduction of completion time, %", from: -50, to: 100 },
        y,
        curves: COMPARED.map((label) => curve(label, this.#reductions(label, "by lifetime"), 100)),
      },
      {
        ...common,
        figure: "fig20",
        title: "Throughput of the median task over that of the slowest",
        x: { title: "ratio", log: true },
        y,
        curves: ["Mantri", "Dryad"].map((label) => curve(label, this.#ratios(label), 1)),
      },
    ];
  }

  #row(
    figure: string,
    setting: string,
    metric: string,
    statistic: (counts: WeightedCounts) => number,
  ): Measured {
    return sectioned({ figure, setting, metric }, partsOf(this.#runs, statistic));
  }

  #reductions(
    label: string,
    weighed: "by lifetime" | "each alike",
    half?: Half,
  ): WeightedDistribution {
    const [before, after] = [this.#column(0), this.#column(placeOf(label))];
    const middle = medianOf(before);
    const isIn = (ms: number) => half === undefined || ms > middle === (half === "long");
    return new WeightedDistribution({
      values: before.map((ms, i) => 1 - defined(after[i], "a time") / ms),
      weights: before.map((ms) => (!isIn(ms) ? 0 : weighed === "by lifetime" ? ms : 1)),
      runs: this.#runOf,
    });
  }

  #ratios(label: string): WeightedDistribution {
    const values = this.#column(LABELS.length + placeOf(label));
    return new WeightedDistribution({ values, weights: values.map(() => 1), runs: this.#runOf });
  }

  #column(index: number): readonly number[] {
    return column(this.#rows, index);
  }
}

const PERCENTILES = Array.from({ length: 99 }, (_, i) => i + 1);

function placeOf(label: string): number {
  const place = LABELS.indexOf(label);
  assert(place >= 0, `a scheme ${label}`);
  return place;
}

function figure14(rows: readonly (readonly number[])[]): readonly Measured[] {
  const setting = "group by";
  const at = (index: number) => column(rows, index);
  const reductions = (before: number): readonly number[] =>
    at(before).map((ms, i) => 1 - defined(at(before + 1)[i], "a time") / ms);
  const row = (metric: string, values: readonly number[], of = setting): Measured =>
    over(values, { figure: "fig14", setting: of, metric });
  const phase = reductions(0);
  return [
    row("reduction of the reduce phase", phase),
    {
      figure: "fig14",
      setting,
      metric: "largest reduction of the reduce phase",
      ...jackknife(phase, largestOfTen),
      runs: rows.length,
    },
    row("reduction of the job", reductions(2)),
    row("tasks per rack in use", at(4), "default"),
    row("tasks per rack in use", at(5), "Mantri"),
  ];
}

/** §6.2 ran the job ten times: the expected largest of ten of the values. */
function largestOfTen(values: readonly number[]): number {
  const rising = Float64Array.from(values).sort();
  const below = (count: number) => pow(count / rising.length, 10);
  return sum(Array.from(rising, (value, i) => value * (below(i + 1) - below(i))));
}

/** A statistic of all values, with the 95 % interval of the jackknife. */
function jackknife(values: readonly number[], statistic: (of: readonly number[]) => number) {
  const value = statistic(values);
  const runs = values.length;
  if (runs === 1) return { value, low: value, high: value };
  const pseudo = values.map((_, out) => {
    return runs * value - (runs - 1) * statistic(values.filter((_value, i) => i !== out));
  });
  const { halfWidth } = interval95(pseudo);
  return { value, low: value - halfWidth, high: value + halfWidth };
}
