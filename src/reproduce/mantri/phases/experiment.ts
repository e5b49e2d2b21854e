import { assert } from "../../../base/assert.ts";
import { isObject } from "../../../base/shape.ts";
import { parseDiscipline } from "../../../policy/discipline.ts";
import type {
  Done,
  Experiment,
  ExperimentFile,
  ExperimentKind,
  ExperimentReport,
  Extent,
  Scale,
  Unit,
} from "../../experiment.ts";
import { drawJob } from "../logs/job-log.ts";
import { type LogModel, logModel } from "../logs/model.ts";
import { numberOf, withAbout } from "../study.ts";
import { COMPLETION, describeSample, PhaseFigures, RESOURCES } from "./figures.ts";
import { type PhasesFile, phasesFile } from "./file.ts";
import { ORACLES, outcomesOf, runPhases } from "./outcome.ts";
import { repeated, type SampledPhase, samplePhases } from "./sample.ts";

/** §6.3: straggler mitigation on the phases of the logs. */
export const phases: ExperimentKind = {
  kind: "mantri-phases",
  make: ({ name, json, place, calibration }: ExperimentFile): Experiment => {
    const file = phasesFile.read(json, place);
    const model = logModel(calibration);
    const disciplines = file.schemes.map(({ discipline, set }) => parseDiscipline(discipline, set));
    const baseline = parseDiscipline(file.baseline);
    return {
      name,
      title: file.title,
      paper: file.paper,
      figures: file.figures,
      units: (extent) =>
        extent.scale === "full" ? allUnits(file, model) : sampleUnits(file, extent),
      run: (unit) => runPhases(phasesOf(model, unit), { model, baseline, schemes: disciplines }),
      report: (done, { scale }) => withAbout(file, report(file, { done, scale, model })),
    };
  },
};

/** Phases per unit of work. */
const PHASES_PER_UNIT = 10;
/** Mean cost of a phase under all schemes, in seconds. */
const PHASE_COST = 0.045;

function sampleUnits({ sample }: PhasesFile, { runs }: Extent): readonly Unit[] {
  const units: Unit[] = [];
  const { phases, longMs } = sample;
  for (let run = 0; run < runs; run += 1) {
    for (let network = 0; network < sample.networks; network += 1) {
      for (let from = 0; from < phases; from += PHASES_PER_UNIT) {
        const count = Math.min(PHASES_PER_UNIT, phases - from);
        units.push({
          key: `sample ${run} ${network} ${from} of ${phases}`,
          cost: count * PHASE_COST,
          work: { part: "sample", run, network, from, count, phases, longMs },
        });
      }
    }
  }
  return units;
}

/** Jobs per unit of work. */
const JOBS_PER_UNIT = 2;
/** Groups of jobs for the intervals. */
const GROUPS = 20;
const PHASES_PER_JOB = 16;

function allUnits({ full }: PhasesFile, { dates }: LogModel): readonly Unit[] {
  const units: Unit[] = [];
  for (let network = 0; network < full.networks; network += 1) {
    for (const [date, { jobs }] of dates.entries()) {
      for (let from = 0; from < jobs; from += JOBS_PER_UNIT) {
        const count = Math.min(JOBS_PER_UNIT, jobs - from);
        units.push({
          key: `all ${network} ${date} ${from}`,
          cost: count * PHASES_PER_JOB * PHASE_COST,
          work: { part: "all", run: (from / JOBS_PER_UNIT) % GROUPS, network, date, from, count },
        });
      }
    }
  }
  return units;
}

/** The seed of the log whose phases all run at full scale. */
const LOG_SEED = 1;

function phasesOf(model: LogModel, { work }: Unit): readonly SampledPhase[] {
  assert(isObject(work) && "part" in work, "a unit of this experiment");
  const number = (key: string) => numberOf(work, key);
  const from = number("from");
  const drawn =
    work.part === "sample"
      ? samplePhases(model, {
          seed: number("run") + 1,
          phases: number("phases"),
          longMs: number("longMs"),
        }).slice(from, from + number("count"))
      : Array.from({ length: number("count") }, (_, i) => {
          const job = { date: number("date"), job: from + i, seed: LOG_SEED };
          return drawJob(model, job).phases.map((phase) => ({ phase, standsFor: 1 }));
        }).flat();
  return drawn.map((phase) => repeated(phase, number("network")));
}

const [NO_SKEW, CHOP_TAIL] = ORACLES;

function report(
  { schemes, figures, seen, sample, full }: PhasesFile,
  of: { readonly done: readonly Done[]; readonly scale: Scale; readonly model: LogModel },
): ExperimentReport {
  const labels = schemes.map(({ label }) => label);
  const outcomes = outcomesOf(of.done, labels);
  const made = new PhaseFigures(outcomes, { seen });
  const compared = labels.filter((label) => label !== EARLY);
  const [ours = ""] = labels;
  assert(figures.includes("fig16"), "the experiment of Figures 16 to 18");
  const isSample = of.scale === "sample";
  return {
    measured: [
      ...made.figure16(compared),
      ...["MapReduce", "Dryad"].map((other) =>
        made.compared("fig16", ["Hadoop", other], COMPLETION),
      ),
      made.compared("fig16", ["LATE", "Hadoop"], RESOURCES),
      ...["Hadoop", "LATE", "Dryad"].map((other) =>
        made.compared("fig16", ["MapReduce", other], RESOURCES),
      ),
      made.successes("fig16", [ours, "LATE"]),
      ...["Hadoop", "MapReduce", "Dryad"].map((other) => made.successes("fig16", ["LATE", other])),
      ...made.percentiles("fig17", EARLY, "completion"),
      ...made.percentiles("fig17", EARLY, "resources"),
      made.worseUntil("fig17", EARLY),
      made.compared("fig17", ["LATE", EARLY], COMPLETION),
      made.compared("fig17", ["LATE", EARLY], WHERE_EARLY_HURTS),
      made.compared("fig17", ["LATE", EARLY], RESOURCES),
      ...ORACLES.flatMap((oracle) => made.percentiles("fig18", oracle, "completion")),
      made.compared("fig18", [ours, NO_SKEW], COMPLETION),
      made.nearness("fig18", [ours, NO_SKEW]),
      made.compared("fig18", [CHOP_TAIL, ours], COMPLETION),
    ],
    drawings: [
      made.drawing("fig16", compared, "completion"),
      made.drawing("fig16", compared, "resources"),
      made.drawing("fig17", ["LATE", EARLY], "completion"),
      made.drawing("fig17", ["LATE", EARLY], "resources"),
      made.drawing("fig18", [ours, ...ORACLES], "completion"),
    ],
    notes: [
      describeSample(outcomes, {
        logged: of.model.dates.reduce((total, { phases }) => total + phases, 0),
        networks: { run: (isSample ? sample : full).networks, all: full.networks },
        longMs: isSample ? sample.longMs : undefined,
      }),
    ],
  };
}

/** §6.3: up to the 40th percentile acting early makes phases longer. */
const WHERE_EARLY_HURTS = { quantity: "completion", percentile: 25 } as const;

/** §6.3, Figure 17. */
const EARLY = "LATE, early";
