import { defined } from "../../../base/assert.ts";
import type { Curve, Drawing } from "../../../report/chart/drawing.ts";
import type { Done, ExperimentReport, Measured } from "../../experiment.ts";
import { sectioned } from "../estimate.ts";
import { partsOf, type WeightedCounts, WeightedDistribution } from "../phases/weighted.ts";
import { numberOf, rowsOf } from "../study.ts";

/** The schemes in the experiment's order. */
const SCHEMES = ["none", "Mantri", "IdealRecompute", "replication", "pre-computation", "after two"];
/** Numbers of a job under one scheme, in the order in which the experiment writes them. */
const NUMBERS = [
  "response",
  "missed",
  "read",
  "replicatedBytes",
  "precomputedTime",
  "slotTime",
  "replicated",
  "replicasUsed",
  "precomputed",
  "precomputedUsed",
] as const;
type Name = (typeof NUMBERS)[number];

/** `of`: the population that the jobs are a sample of. */
export function report(
  done: readonly Done[],
  { runs, of }: { readonly runs: number; readonly of: string },
): ExperimentReport {
  const figures = new RecomputeFigures(
    done.flatMap((unit) => {
      const run = numberOf(unit.unit.work, "run");
      return rowsOf(unit).map((numbers) => ({ run, numbers }));
    }),
    runs,
  );
  return {
    measured: figures.rows(),
    drawings: [figures.drawing()],
    notes: [figures.note(of)],
  };
}

interface JobRow {
  readonly run: number;
  readonly numbers: readonly number[];
}

class RecomputeFigures {
  readonly #jobs: readonly JobRow[];
  /**
   * The jobs whose readers missed an output without protection: the subject of the paper's curves.
   */
  readonly #hit: readonly JobRow[];
  readonly #runs: number;

  constructor(jobs: readonly JobRow[], runs: number) {
    this.#jobs = jobs;
    this.#hit = jobs.filter((job) => at(job, "none", "missed") > 0);
    this.#runs = runs;
  }

  note(of: string): string {
    return (
      `${this.#jobs.length} jobs of ${of}, each hit by one episode; in ${this.#hit.length} of ` +
      "them somebody waited for a lost output: these are compared."
    );
  }

  rows(): readonly Measured[] {
    return [...this.#figure21(), ...this.#figure22(), ...this.#figure23()];
  }

  drawing(): Drawing {
    const counts = new Array<number>(this.#runs).fill(1);
    const curve = (label: string): Curve => {
      const of = this.#reductions(label);
      const points = PERCENTILES.map((y) => ({ x: 100 * of.quantile(y / 100, counts), y }));
      return { label, points };
    };
    return {
      kind: "curves",
      figure: "fig21",
      title: "Jobs that would have waited for lost outputs, weighed by their cluster time",
      x: { title: "reduction of completion time, %", from: -20, to: 100 },
      y: { title: "cumulative share, %", from: 0, to: 100 },
      steps: false,
      curves: ["Mantri", "IdealRecompute"].map(curve),
    };
  }

  #figure21(): readonly Measured[] {
    const figure = "fig21";
    const metric = (q: number) => `reduction of completion time, ${q}th percentile`;
    const [mantri, ideal] = [this.#reductions("Mantri"), this.#reductions("IdealRecompute")];
    const median = metric(50);
    return [
      ...[50, 75].flatMap((q) => [
        this.#row({ figure, setting: "Mantri", metric: metric(q) }, (counts) =>
          mantri.quantile(q / 100, counts),
        ),
        this.#row({ figure, setting: "IdealRecompute", metric: metric(q) }, (counts) =>
          ideal.quantile(q / 100, counts),
        ),
      ]),
      this.#row({ figure, setting: "IdealRecompute - Mantri", metric: median }, (counts) => {
        return ideal.quantile(0.5, counts) - mantri.quantile(0.5, counts);
      }),
      this.#row({ figure, setting: "Mantri over IdealRecompute", metric: median }, (counts) => {
        return mantri.quantile(0.5, counts) / ideal.quantile(0.5, counts);
      }),
    ];
  }

  #figure22(): readonly Measured[] {
    const figure = "fig22";
    const eliminated = (scheme: string) =>
      new WeightedDistribution({
        values: this.#hit.map((job) => 1 - at(job, scheme, "missed") / at(job, "none", "missed")),
        weights: this.#hit.map(() => 1),
        runs: this.#hit.map(({ run }) => run),
      });
    const all = eliminated("Mantri");
    const saved = (scheme: string, counts: WeightedCounts): number =>
      Math.max(0, this.#total("none", "missed", counts) - this.#total(scheme, "missed", counts));
    const share = (scheme: string) => (counts: WeightedCounts) =>
      saved(scheme, counts) /
      Math.max(1, saved("replication", counts) + saved("pre-computation", counts));
    return [
      this.#row(
        { figure, setting: "Mantri", metric: "recomputations eliminated, median job" },
        (counts) => all.quantile(0.5, counts),
      ),
      ...["replication", "pre-computation"].map((setting) =>
        this.#row({ figure, setting, metric: "share of what is eliminated" }, share(setting)),
      ),
    ];
  }

  #figure23(): readonly Measured[] {
    const figure = "fig23";
    const ratio = (scheme: string, of: Name, to: Name) => (counts: WeightedCounts) =>
      this.#total(scheme, of, counts) / Math.max(1e-9, this.#total(scheme, to, counts));
    return [
      this.#row(
        { figure, setting: "Mantri", metric: "extra network traffic" },
        ratio("Mantri", "replicatedBytes", "read"),
      ),
      this.#row(
        { figure, setting: "Mantri", metric: "extra cluster time" },
        ratio("Mantri", "precomputedTime", "slotTime"),
      ),
      this.#row(
        { figure, setting: "replicated outputs", metric: "share that is used" },
        ratio("Mantri", "replicasUsed", "replicated"),
      ),
      this.#row(
        { figure, setting: "pre-computed outputs", metric: "share that is used" },
        ratio("Mantri", "precomputedUsed", "precomputed"),
      ),
      this.#row(
        {
          figure,
          setting: "pre-computed outputs, after two recomputations",
          metric: "share that is used",
        },
        ratio("after two", "precomputedUsed", "precomputed"),
      ),
    ];
  }

  #reductions(scheme: string): WeightedDistribution {
    return new WeightedDistribution({
      values: this.#hit.map((job) => 1 - at(job, scheme, "response") / at(job, "none", "response")),
      weights: this.#hit.map((job) => at(job, "IdealRecompute", "slotTime")),
      runs: this.#hit.map(({ run }) => run),
    });
  }

  /** The total over all jobs, hit or not, since protection costs all of them. */
  #total(scheme: string, name: Name, counts: WeightedCounts): number {
    return this.#jobs.reduce(
      (sum, job) => sum + at(job, scheme, name) * defined(counts[job.run], "a count"),
      0,
    );
  }

  #row(
    row: Pick<Measured, "figure" | "setting" | "metric">,
    statistic: (counts: WeightedCounts) => number,
  ): Measured {
    return sectioned(row, partsOf(this.#runs, statistic));
  }
}

const PERCENTILES = Array.from({ length: 99 }, (_, i) => i + 1);

function at({ numbers }: JobRow, scheme: string, name: Name): number {
  const index = SCHEMES.indexOf(scheme) * NUMBERS.length + NUMBERS.indexOf(name);
  return defined(numbers[index], `${name} under ${scheme}`);
}
