import { defined } from "../../../base/assert.ts";
import type { Json } from "../../../base/json.ts";
import { type Infer, record, required, whole } from "../../../base/shape.ts";
import { sum } from "../../../base/stats.ts";
import type {
  Done,
  Experiment,
  ExperimentFile,
  ExperimentKind,
  ExperimentReport,
  Extent,
  Unit,
} from "../../experiment.ts";
import { HEADING } from "../../heading.ts";
import { sectioned } from "../estimate.ts";
import { jobFigures, logRun } from "../jobs/job-figures.ts";
import { numberOf, withAbout } from "../study.ts";
import { figuresOf } from "./characteristics.ts";
import { logDrawings } from "./drawings.ts";
import { drawJob } from "./job-log.ts";
import { type LogModel, logModel } from "./model.ts";
import { logFigures, packed } from "./outcome.ts";
import { logRows } from "./rows.ts";

/** Compares the generated logs with §3, §4 and Table 2. */
type LogsFile = Infer<typeof file>;
const file = record("the experiment of the logs", {
  ...HEADING,
  /** At sample scale one job in this many is drawn. */
  every: required(whole({ min: 1 })),
  /** Runs of each job, for the variation of its time. */
  repeats: required(whole({ min: 2 })),
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
      run: ({ work }) => runUnit(read, model, work),
      report: (done) => withAbout(read, report(model, done)),
    };
  },
};

const JOB_COST = 0.01;

/** Each run draws its own part of the jobs of each date, from its own seed. */
function units(
  { every: sampled }: LogsFile,
  { dates }: LogModel,
  { scale, runs }: Extent,
): readonly Unit[] {
  const every = scale === "full" ? 1 : sampled;
  return dates.flatMap(({ jobs }, date) =>
    Array.from({ length: runs }, (_, run) => {
      const count = Math.max(0, Math.ceil((jobs / every - run) / runs));
      return {
        key: `${date}, run ${run} of ${runs}, every ${every}`,
        cost: (1 + count) * JOB_COST,
        work: { date, run, count, first: run * every, step: runs * every },
      };
    }),
  );
}

function runUnit({ repeats }: LogsFile, model: LogModel, work: Json): Json {
  const of = (key: string) => numberOf(work, key);
  const jobs = Array.from({ length: of("count") }, (_, i) =>
    drawJob(model, {
      date: of("date"),
      job: of("first") + i * of("step"),
      seed: of("run") + 1,
    }),
  );
  return packed(
    jobs.map((job) => {
      const logged = logRun(model, job);
      return {
        figures: jobFigures(model, job, { logged, repeats }),
        phases: job.phases.map((phase) => {
          return { figures: figuresOf(model, phase), beginMs: phase.time.beginMs };
        }),
        losses: logged.losses,
      };
    }),
  );
}

function report(model: LogModel, done: readonly Done[]): ExperimentReport {
  const { whole, parts } = logFigures(done);
  const rows = parts.map((part) => logRows(model, part));
  const all = sum(model.dates.map(({ jobs }) => jobs));
  return {
    measured: logRows(model, whole).map((row, i) =>
      sectioned(row, {
        whole: row.value,
        parts: rows.map((part) => defined(part[i], "the same rows of each part").value),
      }),
    ),
    drawings: logDrawings(whole),
    notes: [
      `${whole.jobs.length} of the logs' ${all} jobs, with ${whole.phases.length} phases. ` +
        "Each run draws a part of them from a seed of its own; a value is that of all parts " +
        "together, and its interval tells how far the parts are from it.",
    ],
  };
}
