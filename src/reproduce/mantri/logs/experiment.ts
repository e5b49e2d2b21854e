import { object, required, type Shape, whole } from "../../../base/shape.ts";
import type {
  Done,
  Experiment,
  ExperimentFile,
  ExperimentKind,
  Extent,
  Json,
  Report,
  Unit,
} from "../../experiment.ts";
import { HEADING, type Heading } from "../../heading.ts";
import { jobFigures } from "../jobs/job-figures.ts";
import { numberOf, withAbout } from "../study.ts";
import { figuresOf } from "./characteristics.ts";
import { logDrawings } from "./drawings.ts";
import { drawJob } from "./job-log.ts";
import { lossOf } from "./losses.ts";
import { type LogModel, logModel } from "./model.ts";
import { logFigures, packed } from "./outcome.ts";
import { logRows } from "./rows.ts";

/** The generated logs, held against §3, §4 and Table 2. */
interface LogsFile extends Heading {
  /** At sample scale each so manieth job is drawn. */
  readonly every: number;
}

const file: Shape<LogsFile> = object<LogsFile>("the experiment of the logs", {
  ...HEADING,
  every: required(whole({ min: 1 })),
});

export const logs: ExperimentKind = {
  kind: "mantri-logs",
  make: ({ name, json, place, calibration }: ExperimentFile): Experiment => {
    const read = file.read(json, place);
    const model = logModel(calibration);
    return {
      name,
      title: read.title,
      paper: read.paper,
      figures: read.figures,
      units: (extent) => units(read, model, extent),
      run: ({ work }) => runUnit(model, work),
      report: (done) => withAbout(read, report(model, done)),
    };
  },
};

const JOBS_PER_UNIT = 40;
const JOB_COST = 0.01;

function units(
  { every: sampled }: LogsFile,
  { dates }: LogModel,
  { scale }: Extent,
): readonly Unit[] {
  const every = scale === "full" ? 1 : sampled;
  return dates.flatMap(({ jobs }, date) => {
    const drawn = Math.ceil(jobs / every);
    return Array.from({ length: Math.ceil(drawn / JOBS_PER_UNIT) }, (_, i) => {
      const from = i * JOBS_PER_UNIT;
      const count = Math.min(JOBS_PER_UNIT, drawn - from);
      return {
        key: `${date} ${from} every ${every}`,
        cost: count * JOB_COST,
        work: { date, from, count, every },
      };
    });
  });
}

const LOG_SEED = 1;

function runUnit(model: LogModel, work: Json): Json {
  const jobs = Array.from({ length: numberOf(work, "count") }, (_, i) =>
    drawJob(model, {
      date: numberOf(work, "date"),
      job: (numberOf(work, "from") + i) * numberOf(work, "every"),
      seed: LOG_SEED,
    }),
  );
  return packed(
    jobs.map((job) => jobFigures(model, job)),
    jobs.flatMap(({ phases }) =>
      phases.map((phase) => ({ figures: figuresOf(model, phase), loss: lossOf(model, phase) })),
    ),
  );
}

function report(model: LogModel, done: readonly Done[]): Report {
  const log = logFigures(done);
  return {
    measured: logRows(model, log),
    drawings: logDrawings(log),
    notes: [
      `${log.jobs.length} jobs with ${log.phases.length} phases: every job of which the number ` +
        `is a multiple of ${log.every}.`,
    ],
  };
}
