import { defined } from "../../../base/assert.ts";
import type { Json } from "../../../base/json.ts";
import type { Done } from "../../experiment.ts";
import type { JobFigures } from "../jobs/job-figures.ts";
import { numberOf, rowsOf } from "../study.ts";
import type { PhaseCharacteristics } from "./characteristics.ts";
import type { LossLog } from "./losses.ts";
import type { Role } from "./phase-log.ts";
import type { JobKey, LogFigures, LoggedLoss, LoggedPhase } from "./rows.ts";

const ROLES: readonly Role[] = ["extract", "join", "reduce"];
/** Longer than this times the median: Figure 3. */
const MILD = 2.5;
/** The middle of the mild outliers, which begin at 1.5 times. */
const HALF_MILD = 2;
const EXTREME = 10;
/** Stands for "not known" among numbers of 0 or more. */
const NONE = -1;

/** The measures of a job and of its phases. */
export interface MeasuredJob {
  readonly figures: JobFigures;
  readonly phases: readonly { readonly figures: PhaseCharacteristics; readonly beginMs: number }[];
  readonly losses: readonly LossLog[];
}

/**
 * A unit's outcome in rows: the numbers of jobs and phases, then the jobs and phases, then the
 * losses.
 */
export function packed(jobs: readonly MeasuredJob[]): Json {
  const phases = jobs.map((job, i) => job.phases.map((phase) => phaseRow(phase, i)));
  const losses = jobs.map((job, i) => job.losses.map((loss) => lossRow(loss, i)));
  return [
    [jobs.length, phases.flat().length],
    ...jobs.map(({ figures }) => jobRow(figures)),
    ...phases.flat(),
    ...losses.flat(),
  ];
}

const jobRow = (job: JobFigures): readonly number[] => [
  job.phases,
  job.edges,
  job.barriers,
  job.computeMs,
  job.reduceShare,
  job.withoutOutliers,
  job.withoutAny,
  job.withoutLong,
  job.withoutLosses ?? NONE,
  job.variation,
];

function phaseRow(
  { figures, beginMs }: MeasuredJob["phases"][number],
  job: number,
): readonly number[] {
  const { outliers } = figures;
  return [
    job,
    beginMs,
    ROLES.indexOf(figures.role),
    figures.tasks,
    figures.waves,
    figures.computeMs,
    figures.bytes,
    figures.crossRackBytes,
    figures.sizeVariation,
    outliers.length,
    outliers.filter((size) => size < MILD).length,
    outliers.filter((size) => size > EXTREME).length,
    outliers.filter((size) => size < HALF_MILD).length,
    figures.explained ?? NONE,
    figures.improvable ?? NONE,
  ];
}

const lossRow = (loss: LossLog, job: number): readonly number[] => [
  job,
  loss.phase,
  loss.machine,
  loss.waiting,
  loss.redoMs,
  ...loss.sizes,
];

/** The drawn log, and the part of it that each run drew. */
export function logFigures(done: readonly Done[]): {
  readonly whole: LogFigures;
  readonly parts: readonly LogFigures[];
} {
  const units = done.map((unit) => ({ run: numberOf(unit.unit.work, "run"), ...readUnit(unit) }));
  const parts = [...new Set(units.map(({ run }) => run))].map((run) =>
    together(units.filter((unit) => unit.run === run)),
  );
  return { whole: together(units), parts };
}

const together = (logs: readonly LogFigures[]): LogFigures => ({
  jobs: logs.flatMap(({ jobs }) => jobs),
  phases: logs.flatMap(({ phases }) => phases),
  losses: logs.flatMap(({ losses }) => losses),
});

function readUnit(done: Done): LogFigures {
  const { work } = done.unit;
  const date = numberOf(work, "date");
  const [[jobs = 0, phases = 0] = [], ...rows] = rowsOf(done);
  const of = (job: number): JobKey => ({ date, run: numberOf(work, "run"), job });
  return {
    jobs: rows.slice(0, jobs).map((row) => ({ ...readJob(row), date })),
    phases: rows.slice(jobs, jobs + phases).map((row) => readPhase(row, of)),
    losses: rows.slice(jobs + phases).map((row) => readLoss(row, of)),
  };
}

function readJob(row: readonly number[]): JobFigures {
  const at = numbersOf(row);
  return {
    phases: at(0),
    edges: at(1),
    barriers: at(2),
    computeMs: at(3),
    reduceShare: at(4),
    withoutOutliers: at(5),
    withoutAny: at(6),
    withoutLong: at(7),
    withoutLosses: knownOf(row)(8),
    variation: at(9),
  };
}

function readPhase(row: readonly number[], of: (job: number) => JobKey): LoggedPhase {
  const at = numbersOf(row);
  const known = knownOf(row);
  return {
    of: of(at(0)),
    beginMs: at(1),
    figures: {
      role: defined(ROLES[at(2)], "a role"),
      tasks: at(3),
      waves: at(4),
      computeMs: at(5),
      bytes: at(6),
      crossRackBytes: at(7),
      sizeVariation: at(8),
      outliers: { count: at(9), mild: at(10), extreme: at(11), halfMild: at(12) },
      explained: known(13),
      improvable: known(14),
    },
  };
}

function readLoss(row: readonly number[], of: (job: number) => JobKey): LoggedLoss {
  const at = numbersOf(row);
  const loss = { phase: at(1), machine: at(2), waiting: at(3), redoMs: at(4), sizes: row.slice(5) };
  return { of: of(at(0)), loss };
}

const knownOf =
  (row: readonly number[]) =>
  (index: number): number | undefined => {
    const value = numbersOf(row)(index);
    return value === NONE ? undefined : value;
  };

const numbersOf =
  (row: readonly number[]) =>
  (index: number): number =>
    defined(row[index], "a number of a row");
