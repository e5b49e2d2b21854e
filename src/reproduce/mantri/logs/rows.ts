import { percentile, standardDeviation, sum } from "../../../base/stats.ts";
import type { JobFigures } from "../jobs/job-figures.ts";
import { weightedQuantile } from "../weighted-quantile.ts";
import type { PhaseCharacteristics } from "./characteristics.ts";
import type { LossLog } from "./losses.ts";
import type { DateTotals, LogModel } from "./model.ts";

/** A generated log, or a part of one. */
export interface LogFigures {
  readonly jobs: readonly (JobFigures & { readonly date: number })[];
  readonly phases: readonly LoggedPhase[];
  readonly losses: readonly LoggedLoss[];
}

/** A job, by its number in its unit of work: each run draws another part of a date. */
export interface JobKey {
  readonly run: number;
  readonly date: number;
  readonly job: number;
}

export interface LoggedPhase {
  readonly of: JobKey;
  readonly beginMs: number;
  readonly figures: Omit<PhaseCharacteristics, "outliers"> & { readonly outliers: OutlierCounts };
}

export interface LoggedLoss {
  readonly of: JobKey;
  readonly loss: LossLog;
}

export interface OutlierCounts {
  readonly count: number;
  readonly mild: number;
  readonly extreme: number;
  readonly halfMild: number;
}

const YEAR_MS = 365.25 * 24 * 3_600_000;
const PB = 1e15;

/** §4.1: a phase has many outliers if over 15 % of its tasks are outliers. */
const MANY = 0.15;
/** §4.2: in improvable phases, over 55 % of the slow tasks are no outliers. */
const IMPROVABLE = 0.55;

/** A number of a log, to be compared with the published one. */
export interface LogRow {
  readonly figure: string;
  readonly setting: string;
  readonly metric: string;
  readonly value: number;
}

/** The generated log's value for every figure that the paper prints of its logs. */
export function logRows(model: LogModel, log: LogFigures): readonly LogRow[] {
  return [
    ...table2(model, log),
    ...shapes(log),
    ...outliers(log),
    ...causes(log),
    ...losses(model, log),
    ...clusters(model, log),
    ...impact(log),
  ];
}

function table2({ dates }: LogModel, { jobs, phases }: LogFigures): readonly LogRow[] {
  return dates.flatMap((totals: DateTotals, date) => {
    const own = phases.filter(({ of }) => of.date === date).map(({ figures }) => figures);
    const drawn = jobs.filter((job) => job.date === date).length;
    // The drawn jobs stand for all of the date's jobs.
    const scale = totals.jobs / drawn;
    const one = (metric: string, value: number) =>
      row("table2", totals.dates, metric, value * scale);
    return [
      one("jobs", drawn),
      one("phases, thousands", own.length / 1_000),
      one("compute, years", sum(own.map(({ computeMs }) => computeMs)) / YEAR_MS),
      one("data, PB", sum(own.map(({ bytes }) => bytes)) / PB),
      one("network, PB", sum(own.map(({ crossRackBytes }) => crossRackBytes)) / PB),
    ];
  });
}

function shapes({ jobs, phases }: LogFigures): readonly LogRow[] {
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

function outliers({ phases }: LogFigures): readonly LogRow[] {
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
      "outliers from 1.5 to 2.5 times the median",
      "share below 2 times",
      sum(counts.map(({ halfMild }) => halfMild)) / sum(counts.map(({ mild }) => mild)),
    ),
    row(
      "fig3",
      "outliers over 10 times the median",
      "share",
      sum(counts.map(({ extreme }) => extreme)) / all,
    ),
  ];
}

function causes({ phases }: LogFigures): readonly LogRow[] {
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
    row(
      "s4.2",
      "traffic across racks",
      "share of joins in the rest",
      far("join") / (far() - far("reduce")),
    ),
  ];
}

function losses(
  { losses: { machines, flaky }, contention }: LogModel,
  { phases, losses: all }: LogFigures,
): readonly LogRow[] {
  const lost = all.map(({ loss }) => loss);
  const sizes = lost.flatMap((loss) => loss.sizes);
  const worst = Math.max(1, Math.round(machines * flaky));
  const onWorst = lost.filter(({ machine }) => machine < worst);
  const usual = 1 + contention.noise;
  const hit = (some: readonly LoggedLoss[]) =>
    new Set(some.map(({ of, loss }) => `${of.run} ${of.date} ${of.job} ${loss.phase}`)).size;
  return [
    row("fig2", "phases without recomputes", "share", 1 - hit(all) / phases.length),
    row(
      "fig2",
      "phases where over half of the tasks wait",
      "share",
      hit(all.filter(({ loss }) => loss.waiting > 0.5)) / phases.length,
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
    row(
      "fig6",
      "recomputations on 5 % of the machines",
      "share",
      sum(onWorst.map((loss) => loss.sizes.length)) / sizes.length,
    ),
  ];
}

/** Figure 7: outliers cluster in time, losses on machines. */
function clusters({ losses: { machines }, times }: LogModel, log: LogFigures): readonly LogRow[] {
  const hours = grouped(log.phases, ({ of, beginMs }) => {
    return `${of.run} ${of.date} ${Math.floor(beginMs / times.spellMs)}`;
  });
  const share = ({ figures: { outliers, tasks } }: LoggedPhase) => outliers.count / tasks;
  const beside = hours.flatMap((hour) =>
    hour
      .filter((phase) => share(phase) > MANY)
      .flatMap((phase) => hour.filter(({ of }) => of.job !== phase.of.job).map(share)),
  );
  const onMachines = grouped(log.losses, ({ loss }) => String(loss.machine));
  const together = sum(onMachines.map(({ length }) => length * (length - 1)));
  const atRandom = (log.losses.length * (log.losses.length - 1)) / machines;
  return [
    row(
      "fig7",
      "outliers of other jobs while a phase has over 15 %",
      "over the mean",
      average(beside) / average(log.phases.map(share)),
    ),
    row(
      "fig7",
      "further losses of a machine that lost outputs",
      "over any machine's",
      together / atRandom,
    ),
  ];
}

function grouped<T>(items: readonly T[], key: (item: T) => string): readonly (readonly T[])[] {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(key(item));
    if (group === undefined) groups.set(key(item), [item]);
    else group.push(item);
  }
  return [...groups.values()];
}

function impact({ jobs }: LogFigures): readonly LogRow[] {
  const weights = jobs.map((job) => job.computeMs);
  const median = (value: (job: JobFigures) => number) =>
    weightedQuantile({ values: jobs.map(value), weights }, 0.5);
  const delayed = jobs.map((job) => job.withoutOutliers).filter((share) => share > 0);
  const lossy = jobs.flatMap((job) => job.withoutLosses ?? []);
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
      "fig8",
      "no outliers at all, none due to data either",
      "reduction of the median job",
      median((job) => job.withoutLong),
    ),
    row(
      "fig8",
      "runtime outliers - recomputes",
      "share of jobs that they delay",
      (delayed.length - lossy.length) / jobs.length,
    ),
    row(
      "fig8",
      "recomputes - runtime outliers",
      "mean share of the time of jobs that they delay",
      average(lossy) - average(delayed),
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

const row = (figure: string, setting: string, metric: string, value: number): LogRow => {
  return { figure, setting, metric, value };
};

const at = (values: readonly number[], q: number): number =>
  percentile(Float64Array.from(values).sort(), q);

const shareOf = (values: readonly number[], holds: (value: number) => boolean): number =>
  average(values.map((value) => (holds(value) ? 1 : 0)));

/** NaN without values: a small part of a log may have no losses. */
const average = (values: readonly number[]): number => sum(values) / values.length;
