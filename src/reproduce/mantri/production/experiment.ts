import { assert, defined } from "../../../base/assert.ts";
import type { Json } from "../../../base/json.ts";
import { isObject } from "../../../base/shape.ts";
import { mean } from "../../../base/stats.ts";
import { parseDiscipline } from "../../../policy/discipline.ts";
import type { Discipline } from "../../../policy/policy.ts";
import type {
  Done,
  Experiment,
  ExperimentFile,
  ExperimentKind,
  ExperimentReport,
  Extent,
  Measured,
  Unit,
} from "../../experiment.ts";
import { over, sectioned } from "../estimate.ts";
import { runJob } from "../jobs/job-run.ts";
import { type LogModel, logModel } from "../logs/model.ts";
import { partsOf, WeightedDistribution } from "../phases/weighted.ts";
import { column, numberOf, rowsOf, withAbout } from "../study.ts";
import { estimatorError } from "./estimator-error.ts";
import { type ProductionFile, productionFile } from "./file.ts";
import { evictions, preproductionJob, productionJob } from "./jobs.ts";

/** §6.2: Figures 13 and 15. */
export const production: ExperimentKind = {
  kind: "mantri-production",
  make: ({ name, json, place, calibration }: ExperimentFile): Experiment => {
    const file = productionFile.read(json, place);
    const model = logModel(calibration);
    const pair = [parseDiscipline(file.baseline), parseDiscipline(file.mantri)] as const;
    return {
      name,
      title: file.title,
      paper: file.paper,
      figures: file.figures,
      units: (extent) => units(file, extent),
      run: ({ work }) => run(file, { model, pair, work }),
      report: (done) => withAbout(file, report(file, done)),
    };
  },
};

/** The seconds that a run of a job takes. */
const JOB_COST = 0.04;
const JOBS_PER_UNIT = 6;

function units({ production: { jobs }, preproduction }: ProductionFile, { runs }: Extent) {
  const four = Array.from({ length: runs }, (_, run): Unit => {
    return {
      key: `four jobs ${run}`,
      cost: 2 * jobs.length * JOB_COST,
      work: { part: "production", run },
    };
  });
  const many = Array.from(
    { length: Math.ceil(preproduction.jobs / JOBS_PER_UNIT) },
    (_, i): Unit => {
      const from = i * JOBS_PER_UNIT;
      const count = Math.min(JOBS_PER_UNIT, preproduction.jobs - from);
      return {
        key: `jobs ${from} of ${preproduction.jobs}`,
        cost: 2 * count * preproduction.repeats * JOB_COST,
        work: { part: "preproduction", from, count },
      };
    },
  );
  const estimates = Array.from({ length: runs }, (_, run): Unit => {
    return { key: `estimates ${run}`, cost: JOB_COST, work: { part: "estimates", run } };
  });
  return [...four, ...many, ...estimates];
}

type Pair = readonly [Discipline, Discipline];

function run(
  file: ProductionFile,
  of: { readonly model: LogModel; readonly pair: Pair; readonly work: Json },
): Json {
  const { model, pair, work } = of;
  if (isPart(work, "production")) {
    const seed = numberOf(work, "run") + 1;
    const setup = file.production;
    return setup.jobs.map((job) => {
      const made = productionJob(model, setup, { job, seed });
      const faults = evictions(setup);
      return reductions(pair.map((discipline) => runJob(made, { discipline, seed, faults })));
    });
  }
  if (isPart(work, "estimates")) {
    const seed = numberOf(work, "run") + 1;
    const [job] = file.production.jobs;
    const made = productionJob(model, file.production, { job: defined(job, "a job"), seed });
    return [[estimatorError(made, { discipline: pair[1], speed: file.speed, seed })]];
  }
  return Array.from({ length: numberOf(work, "count") }, (_, i) => {
    const job = numberOf(work, "from") + i;
    const runs = pair.map((discipline, which) =>
      repeatedly(file, { model, discipline, job, which }),
    );
    return [...reductions(runs), defined(runs[0], "a run").resourceMs / 1_000];
  });
}

/** §6.2 compares with earlier runs of the same job, which met other contention: means of each. */
function repeatedly(
  { preproduction }: ProductionFile,
  of: {
    readonly model: LogModel;
    readonly discipline: Discipline;
    readonly job: number;
    /** 0: before, 1: after. */
    readonly which: number;
  },
): Run {
  const { discipline, job, model, which } = of;
  const { repeats } = preproduction;
  const runs = Array.from({ length: repeats }, (_, i) =>
    runJob(preproductionJob(model, preproduction, { job, time: which * repeats + i }), {
      discipline,
    }),
  );
  return {
    completionMs: mean(runs.map(({ completionMs }) => completionMs)),
    resourceMs: mean(runs.map(({ resourceMs }) => resourceMs)),
  };
}

const isPart = (work: Json, part: string): boolean =>
  isObject(work) && "part" in work && work.part === part;

interface Run {
  readonly completionMs: number;
  readonly resourceMs: number;
}

/** The reductions of completion time and of resources: equation 4. */
function reductions([current, modified]: readonly Run[]): readonly number[] {
  assert(current !== undefined && modified !== undefined, "two runs");
  return [
    1 - modified.completionMs / current.completionMs,
    1 - modified.resourceMs / current.resourceMs,
  ];
}

function report(
  { production: { jobs }, preproduction }: ProductionFile,
  done: readonly Done[],
): ExperimentReport {
  const four = done.filter(({ unit }) => isPart(unit.work, "production")).map(rowsOf);
  const many = done.filter(({ unit }) => isPart(unit.work, "preproduction")).flatMap(rowsOf);
  const estimates = done
    .filter(({ unit }) => isPart(unit.work, "estimates"))
    .flatMap((unit) => column(rowsOf(unit), 0));
  return {
    measured: [
      ...figure13(
        jobs.map(({ name }) => name),
        four,
      ),
      ...figure15(many),
      over(estimates, {
        figure: "s6.2",
        setting: "t_rem",
        metric: "mean error of the predicted completion",
      }),
    ],
    drawings: [],
    notes: [
      `Figure 15: ${preproduction.jobs} jobs of the logs of at most ${preproduction.phasesMost} ` +
        `phases of at most ${preproduction.tasksMost} tasks, the mean of ` +
        `${preproduction.repeats} runs before and of as many after. On purpose they are not ` +
        "paired: the paper compares with earlier runs, which met other contention. What the " +
        `column "runs" counts are ${GROUPS} groups of jobs, however many runs are asked for.`,
    ],
  };
}

const COMPLETION = "reduction of completion time";
const RESOURCES = "reduction of resources";

function figure13(
  names: readonly string[],
  runs: readonly (readonly (readonly number[])[])[],
): readonly Measured[] {
  const of = (job: number, index: number): readonly number[] =>
    runs.map((jobs) => defined(jobs[job]?.[index], "a reduction"));
  const all = (index: number): readonly number[] => runs.map((jobs) => mean(column(jobs, index)));
  const row = (setting: string, metric: string, values: readonly number[]) =>
    over(values, { figure: "fig13", setting, metric });
  return [
    ...names.flatMap((name, job) => [
      row(name, COMPLETION, of(job, 0)),
      row(name, RESOURCES, of(job, 1)),
    ]),
    row("all four jobs", COMPLETION, all(0)),
    row("all four jobs", RESOURCES, all(1)),
  ];
}

function figure15(rows: readonly (readonly number[])[]): readonly Measured[] {
  const groups = Math.min(GROUPS, rows.length);
  const runs = rows.map((_, i) => i % groups);
  const time = new WeightedDistribution({
    values: column(rows, 0),
    weights: column(rows, 2),
    runs,
  });
  const resources = new WeightedDistribution({
    values: column(rows, 1),
    weights: rows.map(() => 1),
    runs,
  });
  const figure = "fig15";
  return [
    sectioned(
      {
        figure,
        setting: "jobs with half of the cluster time",
        metric: "least reduction of completion time",
      },
      partsOf(groups, (counts) => time.quantile(0.5, counts)),
    ),
    sectioned(
      { figure, setting: "jobs", metric: "share that uses fewer resources" },
      partsOf(groups, (counts) => resources.shareWhere((value) => value > 0, counts)),
    ),
  ];
}

/** Groups of jobs for the intervals. */
const GROUPS = 20;
