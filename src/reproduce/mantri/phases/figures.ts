import { defined } from "../../../base/assert.ts";
import { sum } from "../../../base/stats.ts";
import type { Curve, Drawing } from "../../../report/chart/drawing.ts";
import type { Measured } from "../../experiment.ts";
import { sectioned } from "../estimate.ts";
import { ORACLES, type Outcomes } from "./outcome.ts";
import { partsOf, type WeightedCounts, WeightedDistribution } from "./weighted.ts";

/** Percentiles of the weight at which curves are drawn. */
const PERCENTILES = Array.from({ length: 99 }, (_, i) => i + 1);

/** The main measure by which schemes are compared. */
export const COMPLETION = { quantity: "completion", percentile: 50 } as const;
export const RESOURCES = { quantity: "resources", percentile: 50 } as const;

type Row = Pick<Measured, "figure" | "setting" | "metric">;
type Quantity = "completion" | "resources";

const WORDS: Readonly<Record<Quantity, string>> = {
  completion: "reduction of completion time",
  resources: "reduction of resources",
};

/** The rows and drawings of Figures 16 to 18. */
export class PhaseFigures {
  readonly #outcomes: Outcomes;
  /** Smaller changes of the completion time count as none. */
  readonly #seen: number;
  readonly #made = new Map<string, WeightedDistribution>();

  constructor(outcomes: Outcomes, { seen }: { readonly seen: number }) {
    this.#outcomes = outcomes;
    this.#seen = seen;
  }

  /** Figure 16: percentiles of each scheme, and the other schemes compared with the first. */
  figure16(schemes: readonly string[]): readonly Measured[] {
    const figure = "fig16";
    const [first = "", ...others] = schemes;
    return [
      ...schemes.flatMap((setting) => [
        ...[50, 75].flatMap((q) => [
          this.#percentile({ figure, setting }, "completion", q),
          this.#percentile({ figure, setting }, "resources", q),
        ]),
        this.#shareWithout({ figure, setting }),
        this.#shareOfLoss({ figure, setting }),
        ...this.#restarts({ figure, setting }),
      ]),
      ...others.flatMap((other) => [
        this.#difference({ figure, setting: `${first} - ${other}` }, COMPLETION, [first, other]),
        this.#difference({ figure, setting: `${first} - ${other}` }, RESOURCES, [first, other]),
      ]),
      this.#overNextBest({ figure, setting: first, metric: "times the next best reduction" }, [
        first,
        others,
      ]),
    ];
  }

  /** Compares two schemes or oracles. */
  compared(
    figure: string,
    pair: readonly [string, string],
    of: { readonly quantity: Quantity; readonly percentile: number },
  ): Measured {
    return this.#difference({ figure, setting: pair.join(" - ") }, of, pair);
  }

  /** How near a scheme comes to an ideal one: its median reduction over the ideal's. */
  nearness(figure: string, [of, ideal]: readonly [string, string]): Measured {
    const { quantity, percentile } = COMPLETION;
    const metric = `${WORDS[quantity]}, ${percentile}th percentile`;
    const median = (scheme: string, counts: WeightedCounts) =>
      this.#of(quantity, scheme).quantile(percentile / 100, counts);
    return this.#row(
      { figure, setting: `${of} / ${ideal}`, metric },
      (counts) => median(of, counts) / median(ideal, counts),
    );
  }

  /** Figures 17 and 18 show the percentiles of few schemes. */
  percentiles(figure: string, setting: string, quantity: Quantity): readonly Measured[] {
    return [50, 75].map((q) => this.#percentile({ figure, setting }, quantity, q));
  }

  worseUntil(figure: string, setting: string): Measured {
    return this.#shareOfLoss({ figure, setting });
  }

  successes(figure: string, pair: readonly [string, string]): Measured {
    const row = { figure, setting: pair.join(" - "), metric: "share of restarts that succeed" };
    const [of, other] = pair;
    return this.#row(
      row,
      (counts) => this.#successRate(of, counts) - this.#successRate(other, counts),
    );
  }

  drawing(figure: string, schemes: readonly string[], quantity: Quantity): Drawing {
    const counts = new Array<number>(this.#outcomes.runs).fill(1);
    const curve = (label: string): Curve => ({
      label,
      points: PERCENTILES.map((y) => ({
        x: 100 * this.#of(quantity, label).quantile(y / 100, counts),
        y,
      })),
    });
    return {
      kind: "curves",
      figure,
      title: `${WORDS[quantity]} of phases, weighed by their lifetime`,
      x: { title: `${WORDS[quantity]}, %`, from: -50, to: 100 },
      y: { title: "cumulative share, %", from: 0, to: 100 },
      steps: false,
      curves: schemes.map(curve),
    };
  }

  #of(quantity: Quantity, scheme: string): WeightedDistribution {
    const key = `${quantity} ${scheme}`;
    const made = this.#made.get(key) ?? new WeightedDistribution(this.#outcomes[quantity](scheme));
    this.#made.set(key, made);
    return made;
  }

  #row(row: Row, statistic: (counts: WeightedCounts) => number): Measured {
    const { runs } = this.#outcomes;
    return sectioned(row, partsOf(runs, statistic));
  }

  #percentile(at: Omit<Row, "metric">, quantity: Quantity, q: number): Measured {
    const row = { ...at, metric: `${WORDS[quantity]}, ${q}th percentile` };
    return this.#row(row, (counts) => this.#of(quantity, at.setting).quantile(q / 100, counts));
  }

  #difference(
    at: Omit<Row, "metric">,
    { quantity, percentile }: { readonly quantity: Quantity; readonly percentile: number },
    [of, other]: readonly [string, string],
  ): Measured {
    const row = { ...at, metric: `${WORDS[quantity]}, ${percentile}th percentile` };
    const share = percentile / 100;
    return this.#row(
      row,
      (counts) =>
        this.#of(quantity, of).quantile(share, counts) -
        this.#of(quantity, other).quantile(share, counts),
    );
  }

  /** Without a reduction by any other scheme there is no next best. */
  #overNextBest(row: Row, [first, others]: readonly [string, readonly string[]]): Measured {
    const median = (scheme: string, counts: WeightedCounts) =>
      this.#of("completion", scheme).quantile(0.5, counts);
    return this.#row(row, (counts) => {
      const nextBest = Math.max(...others.map((other) => median(other, counts)));
      return nextBest > 0 ? median(first, counts) / nextBest : Number.NaN;
    });
  }

  #shareWithout(at: Omit<Row, "metric">): Measured {
    const row = { ...at, metric: "no gain until percentile" };
    return this.#row(
      row,
      (counts) =>
        100 * this.#of("completion", at.setting).shareWhere((value) => value < this.#seen, counts),
    );
  }

  #shareOfLoss(at: Omit<Row, "metric">): Measured {
    const row = { ...at, metric: "loss until percentile" };
    return this.#row(
      row,
      (counts) =>
        100 * this.#of("completion", at.setting).shareWhere((value) => value < -this.#seen, counts),
    );
  }

  #restarts(at: Omit<Row, "metric">): readonly Measured[] {
    const groups = this.#outcomes.restarts(at.setting);
    return [
      this.#row({ ...at, metric: "restarts per task, average phase" }, (counts) => {
        const phases = total(groups, counts, (group) => group.phases);
        return total(groups, counts, (group) => group.perTask) / phases;
      }),
      this.#row({ ...at, metric: "share of restarts that succeed" }, (counts) =>
        this.#successRate(at.setting, counts),
      ),
    ];
  }

  /** NaN if nothing was restarted. */
  #successRate(scheme: string, counts: WeightedCounts): number {
    const groups = this.#outcomes.restarts(scheme);
    const launched = total(groups, counts, (group) => group.launched);
    return total(groups, counts, (group) => group.succeeded) / launched;
  }
}

function total<T>(
  groups: readonly T[],
  counts: WeightedCounts,
  value: (group: T) => number,
): number {
  return groups.reduce(
    (sum, group, i) => sum + value(group) * defined(counts[i], "a count for each run"),
    0,
  );
}

/** The notes on the sizes of the phases, and on the size of the sample. */
export function describeSample(
  { phases, completion }: Outcomes,
  of: {
    /** The number of phases in the logs. */
    readonly logged: number;
    readonly networks: { readonly run: number; readonly all: number };
    /** For a sample: phases with tasks longer than this are all taken. */
    readonly longMs: number | undefined;
  },
): string {
  const { weights } = completion(ORACLES[0]);
  const heaviest = weights.reduce((most, weight) => Math.max(most, weight), 0);
  const share = Math.round((100 * heaviest) / sum(weights));
  const { logged, longMs, networks } = of;
  const how =
    longMs === undefined
      ? `all phases of the logs under ${networks.run} networks`
      : `a sample of the ${logged} of the logs under ${networks.run} of ` +
        `${networks.all} networks: drawn more often the longer their tasks take, up to ` +
        `${longMs / 60_000} minutes, and counted the less`;
  return `${phases} phases, ${how}; the heaviest has ${share} % of the weight.`;
}
