import { defined } from "../../../base/assert.ts";
import type { Done, Json } from "../../experiment.ts";
import type { JobFigures } from "../jobs/job-figures.ts";
import { numberOf, rowsOf } from "../study.ts";
import type { PhaseFigures } from "./characteristics.ts";
import type { LossLog } from "./losses.ts";
import type { Role } from "./phase-log.ts";
import type { LogFigures, LoggedPhase } from "./rows.ts";

const ROLES: readonly Role[] = ["extract", "join", "reduce"];
/** Longer than this times the median: Figure 3. */
const MILD = 2.5;
const EXTREME = 10;
/** Stands for "not known" among numbers of 0 or more. */
const NONE = -1;

export interface MeasuredPhase {
  readonly figures: PhaseFigures;
  readonly loss: LossLog | undefined;
}

/** A unit's outcome: a row that says how many rows are jobs; then those; the others are phases. */
export function packed(jobs: readonly JobFigures[], phases: readonly MeasuredPhase[]): Json {
  return [[jobs.length], ...jobs.map(jobRow), ...phases.map(phaseRow)];
}

const jobRow = (job: JobFigures): readonly number[] => [
  job.phases,
  job.edges,
  job.barriers,
  job.computeMs,
  job.reduceShare,
  job.withoutOutliers,
  job.withoutAny,
  job.variation,
];

function phaseRow({ figures, loss }: MeasuredPhase): readonly number[] {
  const { outliers } = figures;
  return [
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
    figures.explained ?? NONE,
    figures.improvable ?? NONE,
    loss?.machine ?? NONE,
    loss?.waiting ?? NONE,
    ...(loss?.sizes ?? []),
  ];
}

export function logFigures(done: readonly Done[]): LogFigures {
  const jobs: LogFigures["jobs"][number][] = [];
  const phases: LoggedPhase[] = [];
  let every = 1;
  for (const unit of done) {
    const { work } = unit.unit;
    const date = numberOf(work, "date");
    every = numberOf(work, "every");
    const [[count = 0] = [], ...rows] = rowsOf(unit);
    jobs.push(...rows.slice(0, count).map((row) => ({ ...readJob(row), date })));
    phases.push(...rows.slice(count).map((row) => readPhase(date, row)));
  }
  return { jobs, phases, every };
}

function readJob(row: readonly number[]): JobFigures {
  const at = (index: number) => defined(row[index], "a number of a job");
  return {
    phases: at(0),
    edges: at(1),
    barriers: at(2),
    computeMs: at(3),
    reduceShare: at(4),
    withoutOutliers: at(5),
    withoutAny: at(6),
    variation: at(7),
  };
}

function readPhase(date: number, row: readonly number[]): LoggedPhase {
  const at = (index: number) => defined(row[index], "a number of a phase");
  const known = (index: number) => (at(index) === NONE ? undefined : at(index));
  const machine = known(12);
  return {
    date,
    figures: {
      role: defined(ROLES[at(0)], "a role"),
      tasks: at(1),
      waves: at(2),
      computeMs: at(3),
      bytes: at(4),
      crossRackBytes: at(5),
      sizeVariation: at(6),
      outliers: { count: at(7), mild: at(8), extreme: at(9) },
      explained: known(10),
      improvable: known(11),
    },
    loss: machine === undefined ? undefined : { machine, waiting: at(13), sizes: row.slice(14) },
  };
}
