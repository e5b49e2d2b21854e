import type { Json } from "../../../base/json.ts";
import { type Infer, list, positive, record, required, text, whole } from "../../../base/shape.ts";
import { sum } from "../../../base/stats.ts";
import { parseDiscipline } from "../../../policy/discipline.ts";
import type { Unit } from "../../experiment.ts";
import { studyKind } from "../../study/kind.ts";
import { scheme } from "../../study/scheme.ts";
import { isPart, numberOf } from "../../study/work.ts";
import { drawJob } from "../logs/job-log.ts";
import { type LogModel, logModel } from "../logs/model.ts";
import { phaseRows } from "./outcome.ts";
import { repeated, type SampledPhase, samplePhases } from "./sample.ts";

const networks = required(whole({ min: 1 }));

type PhasesSetup = Infer<typeof setup>;
const setup = record("a study of phases", {
  /** The scheme with which all others are compared. */
  baseline: required(text),
  schemes: required(list(scheme, { min: 1 })),
  sample: required(
    record("a sample of the logs", {
      networks,
      /** Phases per run. */
      phases: required(whole({ min: 1 })),
      /**
       * Phases with tasks of at least this time are all taken; of the others fewer, the shorter
       * they are.
       */
      longMs: required(positive),
    }),
  ),
  /** The number of runs of each phase, each with its own draws of contention and network. */
  full: required(record("all of the logs", { networks })),
});

/** §6.3: straggler mitigation on the phases of the logs. */
export const phases = studyKind<PhasesSetup>({
  kind: "mantri-phases",
  setup,
  open: (of, calibration) => {
    const model = logModel(calibration);
    const baseline = parseDiscipline(of.baseline);
    return {
      units: ({ runs, scale }) => (scale === "full" ? allUnits(of, model) : sampleUnits(of, runs)),
      run: (work) => phaseRows(phasesOf(model, work), { model, baseline, schemes: of.schemes }),
      numbers: (tables) => {
        const weights = tables("phases").column("weight");
        const heaviest = weights.reduce((most, weight) => Math.max(most, weight), 0);
        return {
          phases: weights.length,
          logged: sum(model.dates.map((date) => date.phases)),
          sampledNetworks: of.sample.networks,
          networks: of.full.networks,
          longMinutes: of.sample.longMs / 60_000,
          heaviest: Math.round((100 * heaviest) / sum(weights)),
        };
      },
    };
  },
});

/** Phases per unit of work. */
const PHASES_PER_UNIT = 10;
/** Mean cost of a phase under all schemes, in seconds. */
const PHASE_COST = 0.045;

function sampleUnits({ sample }: PhasesSetup, runs: number): readonly Unit[] {
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

function allUnits({ full }: PhasesSetup, { dates }: LogModel): readonly Unit[] {
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

function phasesOf(model: LogModel, work: Json): readonly SampledPhase[] {
  const number = (key: string) => numberOf(work, key);
  const from = number("from");
  const drawn = isPart(work, "sample")
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
