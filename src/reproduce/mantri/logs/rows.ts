import { mean, percentile, standardDeviation, sum } from "../../../base/stats.ts";
import type { Measured } from "../../experiment.ts";
import { exactly } from "../estimate.ts";
import type { JobFigures } from "../jobs/job-figures.ts";
import { weightedQuantile } from "../weighted-quantile.ts";
import type { PhaseFigures } from "./characteristics.ts";
import type { LossLog } from "./losses.ts";
import type { DateTotals, LogModel } from "./model.ts";

/** A generated log, or every so manieth job of it. */
export interface LogFigures {
  readonly jobs: readonly (JobFigures & { readonly date: number })[];
  readonly phases: readonly LoggedPhase[];
  /** Jobs of the whole log for each one that was drawn. */
  readonly every: number;
}

export interface LoggedPhase {
  readonly date: number;
  readonly figures: Omit<PhaseFigures, "outliers"> & { readonly outliers: OutlierCounts };
  readonly loss: LossLog | undefined;
}

export interface OutlierCounts {
  readonly count: number;
  readonly mild: number;
  readonly extreme: number;
}

const YEAR_MS = 365.25 * 24 * 3_600_000;
const PB = 1e15;

/** §4.1: a phase has many outliers if these are over 15 % of its tasks. */
const MANY = 0.15;
/** §4.2: in phases to improve, over 55 % of the slow tasks are no outliers. */
const IMPROVABLE = 0.55;

/** Every figure that the paper prints of its logs, as it comes out in ours. */
export function logRows(model: LogModel, log: LogFigures): readonly Measured[] {
  return [
    ...table2(model, log),
    ...shapes(log),
    ...outliers(log),
    ...causes(log),
    ...losses(model, log),
    ...impact(log),
  ];
}

function table2({ dates }: LogModel, { jobs, phases, every }: LogFigures): readonly Measured[] {
  return dates.flatMap((totals: DateTotals, date) => {
    const own = phases.filter((phase) => phase.date === date).map(({ figures }) => figures);
    const drawn = jobs.filter((job) => job.date === date).length;
    // What was drawn stands for all of the date's jobs.
    const scale = drawn === 0 ? every : totals.jobs / drawn;
    const row = (metric: string, value: number) =>
      exactly(value * scale, { figure: "table2", setting: totals.dates, metric });
    return [
      row("jobs", drawn),
      row("phases, thousands", own.length / 1_000),
      row("compute, years", sum(own.map(({ computeMs }) => computeMs)) / YEAR_MS),
      row("data, PB", sum(own.map(({ bytes }) => bytes)) / PB),
      row("network, PB", sum(own.map(({ crossRackBytes }) => crossRackBytes)) / PB),
    ];
  });
}

function shapes({ jobs, phases }: LogFigures): readonly Measured[] {
  const waves = phases.map(({ figures }) => figures.waves);
  const edges = jobs.map((job) => job.edges);
  return [
    row("s3.1", "tasks over slots", "median", at(waves, 50)),
    row("s3.1", "tasks over slots", "standard deviation", standardDeviation(waves)),
    row(
      "s3.2",
      "phases per job",
      "median",
      at(
        jobs.map((job) => job.phases),
        50,
      ),
    ),
    row("s3.2", "edges per job", "median", at(edges, 50)),
    row("s3.2", "edges", "share of barriers", sum(jobs.map((job) => job.barriers)) / sum(edges)),
    row(
      "s4.2",
      "reduces",
      "share of the median job's time",
      at(
        jobs.map((job) => job.reduceShare),
        50,
      ),
    ),
  ];
}

function outliers({ phases }: LogFigures): readonly Measured[] {
  const counts = phases.map(({ figures }) => figures.outliers);
  const shares = phases.map(({ figures }) => figures.outliers.count / figures.tasks);
  const all = sum(counts.map(({ count }) => count));
  return [
    row(
      "fig2",
      "phases with over 15 % outliers",
      "share",
      shareOf(shares, (x) => x > MANY),
    ),
    row(
      "fig3",
      "outliers below 2.5 times the median",
      "share",
      sum(counts.map(({ mild }) => mild)) / all,
    ),
    row(
      "fig3",
      "outliers over 10 times the median",
      "share",
      sum(counts.map(({ extreme }) => extreme)) / all,
    ),
  ];
}

function causes({ phases }: LogFigures): readonly Measured[] {
  const figures = phases.map((phase) => phase.figures);
  const explained = figures.flatMap((phase) => phase.explained ?? []);
  const improvable = figures.map((phase) => phase.improvable ?? 0);
  const variation = figures.map((phase) => phase.sizeVariation);
  const far = (role?: string) =>
    sum(
      figures
        .filter((phase) => role === undefined || phase.role === role)
        .map((phase) => phase.crossRackBytes),
    );
  return [
    row(
      "fig4",
      "phases whose outliers the data explain",
      "share",
      shareOf(explained, (x) => x === 1),
    ),
    row(
      "fig4",
      "phases whose outliers the data do not explain",
      "share",
      shareOf(explained, (x) => x === 0),
    ),
    row(
      "fig4",
      "phases with over 55 % improvable tasks",
      "share",
      shareOf(improvable, (x) => x > IMPROVABLE),
    ),
    row(
      "fig4",
      "improvable tasks of a phase",
      "share, 80th percentile of phases",
      at(improvable, 80),
    ),
    row("s4.2", "data of a task", "variation, 50th percentile", at(variation, 50)),
    row("s4.2", "data of a task", "variation, 90th percentile", at(variation, 90)),
    row("s4.2", "traffic across racks", "share of reduces", far("reduce") / far()),
  ];
}

function losses(
  { losses: { machines, flaky }, contention }: LogModel,
  { phases }: LogFigures,
): readonly Measured[] {
  const lost = phases.flatMap(({ loss }) => loss ?? []);
  const sizes = lost.flatMap((loss) => loss.sizes);
  const worst = Math.max(1, Math.round(machines * flaky));
  const perMachine = new Map<number, number>();
  for (const { machine, sizes: some } of lost) {
    perMachine.set(machine, (perMachine.get(machine) ?? 0) + some.length);
  }
  const onWorst = sum(
    lost.filter(({ machine }) => machine < worst).map((loss) => loss.sizes.length),
  );
  const usual = 1 + contention.noise;
  return [
    row("fig2", "phases without recomputes", "share", 1 - lost.length / phases.length),
    row(
      "fig2",
      "phases where over half of the tasks wait",
      "share",
      lost.filter(({ waiting }) => waiting > 0.5).length / phases.length,
    ),
    row(
      "fig3",
      "recomputations about the median",
      "share",
      shareOf(sizes, (x) => x <= usual),
    ),
    row(
      "fig3",
      "recomputations over 10 times the median",
      "share",
      shareOf(sizes, (x) => x > 10),
    ),
    row("fig6", "recomputations on 5 % of the machines", "share", onWorst / sizes.length),
  ];
}

function impact({ jobs }: LogFigures): readonly Measured[] {
  const weights = jobs.map((job) => job.computeMs);
  const median = (value: (job: JobFigures) => number) =>
    weightedQuantile({ values: jobs.map(value), weights }, 0.5);
  return [
    row(
      "fig8",
      "no runtime outliers",
      "reduction of the median job",
      median((job) => job.withoutOutliers),
    ),
    row(
      "fig8",
      "no outliers at all",
      "reduction of the median job",
      median((job) => job.withoutAny),
    ),
    row(
      "s4.3",
      "repeated runs of a job",
      "variation of its time, median",
      at(
        jobs.map((job) => job.variation),
        50,
      ),
    ),
  ];
}

const row = (figure: string, setting: string, metric: string, value: number): Measured =>
  exactly(value, { figure, setting, metric });

const at = (values: readonly number[], q: number): number =>
  percentile(Float64Array.from(values).sort(), q);

const shareOf = (values: readonly number[], holds: (value: number) => boolean): number =>
  mean(values.map((value) => (holds(value) ? 1 : 0)));
