import { defined } from "../../../base/assert.ts";
import { cell } from "../../../base/rows.ts";
import { mean } from "../../../base/stats.ts";
import { parseDiscipline } from "../../../policy/discipline.ts";
import type { Discipline } from "../../../policy/policy.ts";
import type { Extent, Unit } from "../../experiment.ts";
import { studyKind } from "../../study/kind.ts";
import type { Row } from "../../study/table.ts";
import { isPart, numberOf } from "../../study/work.ts";
import { type LoggedJobRun, runJob } from "../jobs/job-run.ts";
import { type LogModel, logModel } from "../logs/model.ts";
import { estimatorError } from "./estimator-error.ts";
import { evictions, preproductionJob, productionJob } from "./jobs.ts";
import { type ClustersSetup, clustersSetup } from "./setup.ts";

/** §6.2: Figures 13 and 15. */
export const production = studyKind<ClustersSetup>({
  kind: "mantri-production",
  setup: clustersSetup,
  open: (setup, calibration) => {
    const model = logModel(calibration);
    const pair = [parseDiscipline(setup.baseline), parseDiscipline(setup.mantri)] as const;
    const { jobs, phasesMost, tasksMost, repeats } = setup.preproduction;
    return {
      units: (extent) => units(setup, extent),
      run: (work) => {
        if (isPart(work, "preproduction")) {
          const jobRow = preproductionRow(setup, { model, pair });
          const from = numberOf(work, "from");
          return {
            jobs: Array.from({ length: numberOf(work, "count") }, (_, i) => jobRow(from + i)),
          };
        }
        const seed = numberOf(work, "run") + 1;
        if (isPart(work, "production")) {
          return { production: [productionRow(setup, { model, pair, seed })] };
        }
        const [job] = setup.production.jobs;
        const made = productionJob(model, setup.production, { job: defined(job, "a job"), seed });
        const how = { discipline: pair[1], speed: setup.speed, seed };
        return { estimates: [{ error: estimatorError(made, how) }] };
      },
      numbers: () => ({ jobs, phasesMost, tasksMost, repeats, groups: GROUPS }),
    };
  },
});

/** The seconds that a run of a job takes. */
const JOB_COST = 0.04;
const JOBS_PER_UNIT = 6;

function units(
  { production: { jobs }, preproduction }: ClustersSetup,
  { runs }: Extent,
): readonly Unit[] {
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

/** §6.1: each job under evictions, with Mantri compared to the baseline. */
function productionRow(
  { production: setup }: ClustersSetup,
  of: { readonly model: LogModel; readonly pair: Pair; readonly seed: number },
): Row {
  const { model, pair, seed } = of;
  const faults = evictions(setup);
  const cells = setup.jobs.map((job) => {
    const made = productionJob(model, setup, { job, seed });
    const runs = pair.map((discipline) => runJob(made, { discipline, seed, faults }));
    return { job: job.name, ...reductions(runs) };
  });
  return Object.fromEntries(
    cells.flatMap(({ job, completion, resources }) => [
      [`completion of ${job}`, completion],
      [`resources of ${job}`, resources],
    ]),
  );
}

/** Groups of jobs for the intervals. */
const GROUPS = 20;

/** §6.2 compares with earlier runs of the same job, which met other contention: means of each. */
const preproductionRow =
  (
    { preproduction: setup }: ClustersSetup,
    { model, pair }: { readonly model: LogModel; readonly pair: Pair },
  ) =>
  (job: number): Row => {
    const runs = pair.map((discipline, which): Run => {
      const repeated = Array.from({ length: setup.repeats }, (_, i) =>
        runJob(preproductionJob(model, setup, { job, time: which * setup.repeats + i }), {
          discipline,
        }),
      );
      return {
        completionMs: mean(repeated.map(({ completionMs }) => completionMs)),
        resourceMs: mean(repeated.map(({ resourceMs }) => resourceMs)),
      };
    });
    const time = cell(runs[0]).resourceMs / 1_000;
    return { run: job % GROUPS, time, ...reductions(runs) };
  };

type Run = Pick<LoggedJobRun, "completionMs" | "resourceMs">;

/** The reductions of completion time and of resources: equation 4. */
function reductions(runs: readonly Run[]) {
  const [current, modified] = [cell(runs[0]), cell(runs[1])];
  return {
    completion: 1 - modified.completionMs / current.completionMs,
    resources: 1 - modified.resourceMs / current.resourceMs,
  };
}
