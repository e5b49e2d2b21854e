import { type Infer, record, required, whole } from "../../../base/shape.ts";
import { sum } from "../../../base/stats.ts";
import type { Extent, Unit } from "../../experiment.ts";
import { studyKind } from "../../study/kind.ts";
import { numberOf } from "../../study/work.ts";
import { drawJob } from "./job-log.ts";
import { type LogModel, logModel } from "./model.ts";
import { logRows } from "./outcome.ts";

type LogsSetup = Infer<typeof setup>;
const setup = record("a study of the logs", {
  /** At sample scale one job in this many is drawn. */
  every: required(whole({ min: 1 })),
  /** Runs of each job, for the variation of its time. */
  repeats: required(whole({ min: 2 })),
});

/** Compares the generated logs with §3, §4 and Table 2. */
export const logs = studyKind<LogsSetup>({
  kind: "mantri-logs",
  setup,
  open: (of, calibration) => {
    const model = logModel(calibration);
    return {
      units: (extent) => units(of, model, extent),
      run: (work) => {
        const date = numberOf(work, "date");
        const drawn = Array.from({ length: numberOf(work, "count") }, (_, i) =>
          drawJob(model, {
            date,
            job: numberOf(work, "first") + i * numberOf(work, "step"),
            seed: numberOf(work, "run") + 1,
          }),
        );
        return logRows(model, drawn, { date, repeats: of.repeats });
      },
      numbers: (tables) => ({
        jobs: tables("jobs").count,
        phases: tables("phases").count,
        logged: sum(model.dates.map(({ jobs }) => jobs)),
      }),
    };
  },
});

const JOB_COST = 0.01;

/** Each run draws its own part of the jobs of each date, from its own seed. */
function units(
  { every: sampled }: LogsSetup,
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
