import type { Json } from "../../../base/json.ts";
import { randomState, split } from "../../../base/random.ts";
import { type Infer, isObject, positive, record, required, whole } from "../../../base/shape.ts";
import { sum } from "../../../base/stats.ts";
import type { Oracle } from "../../../hosts/sim/scenario.ts";
import { parseDiscipline } from "../../../policy/discipline.ts";
import type { Discipline } from "../../../policy/policy.ts";
import type { Experiment, ExperimentFile, ExperimentKind, Extent, Unit } from "../../experiment.ts";
import { HEADING } from "../../heading.ts";
import { drawJob } from "../logs/job-log.ts";
import { type LogModel, logModel } from "../logs/model.ts";
import type { PhaseLog } from "../logs/phase-log.ts";
import { numberOf, withAbout } from "../study.ts";
import { PLACED, report } from "./figures.ts";
import { networkModel } from "./network.ts";
import { type PlacementRun, runPlacement } from "./placement-run.ts";
import { reduceScenario } from "./reduce-scenario.ts";

/** The job of Figure 14. */
const figure14 = record("the job of Figure 14", {
  racks: required(whole({ min: 2 })),
  bytes: required(positive),
  reduces: required(whole({ min: 1 })),
  mapCpuBytesPerMs: required(positive),
  reduceCpuBytesPerMs: required(positive),
});

/** §6.2 and §6.4: Figures 5, 14, 19 and 20. */
type PlacementFile = Infer<typeof file>;
const file = record("an experiment on placement", {
  ...HEADING,
  network: required(networkModel),
  /** Phases of reduces per run. */
  phases: required(whole({ min: 1 })),
  /** The most tasks of a phase that are placed at once. */
  tasksMost: required(whole({ min: 1 })),
  groupBy: required(figure14),
});

interface Scheme {
  readonly discipline: Discipline;
  readonly oracle?: Oracle;
}

/** All other schemes are compared with the first. */
const SCHEMES: Readonly<Record<(typeof PLACED)[number], Scheme>> = {
  Dryad: { discipline: parseDiscipline("none,sharing=fifo-plain") },
  Mantri: { discipline: parseDiscipline("mantri-placement") },
  Start: { discipline: parseDiscipline("mantri-placement", ["data.startMsMax=1e18"]) },
  Equal: { discipline: parseDiscipline("mantri-placement", ["data.startMsMax=0"]) },
  "Start, just sampled": {
    discipline: parseDiscipline("mantri-placement", ["data.startMsMax=1e18"]),
    oracle: "ideal-reduce",
  },
};

export const placement: ExperimentKind = {
  kind: "mantri-placement",
  make: ({ name, json, place, calibration }: ExperimentFile): Experiment => {
    const read = file.read(json, place);
    const model = logModel(calibration);
    return {
      name,
      title: read.title,
      paper: read.paper,
      figures: read.figures,
      units: (extent) => units(read, extent),
      run: ({ work }) => run(read, model, work),
      report: (done, { runs }) => {
        const of = (part: string) => done.filter(({ unit }) => isPart(unit.work, part));
        const parts = { phases: of("phases"), groupBy: of("group by") };
        const logged = sum(model.dates.map((date) => date.phases));
        const sampled =
          `the ${logged} phases of the logs; of each the first wave, up to ${read.tasksMost} ` +
          "tasks.";
        return withAbout(read, report(parts, { runs, of: sampled }));
      },
    };
  },
};

const PHASE_COST = 0.1;
const GROUP_BY_COST = 1;

function units({ phases }: PlacementFile, { runs }: Extent): readonly Unit[] {
  return Array.from({ length: runs }, (_, index) => index).flatMap((run) => [
    { key: `phases ${run}`, cost: phases * PHASE_COST, work: { part: "phases", run } },
    { key: `group by ${run}`, cost: GROUP_BY_COST, work: { part: "group by", run } },
  ]);
}

function run(read: PlacementFile, model: LogModel, work: Json): Json {
  const seed = numberOf(work, "run") + 1;
  if (isPart(work, "group by")) return [runGroupBy(read, seed)];
  const { network, phases, tasksMost } = read;
  return reducePhases(model, seed, phases).map((phase) => {
    const count = Math.min(tasksMost, phase.slots, phase.bytes.length);
    const bytes = [...phase.bytes.subarray(0, count)];
    const chance = split(phase.chance, PLACES);
    const scenario = reduceScenario(network, { name: phase.name, bytes }, { chance });
    const runs = PLACED.map((label) => runPlacement(scenario, { ...SCHEMES[label], seed }));
    const times = runs.map(({ phaseMs }) => phaseMs);
    // IdealReduce knows beforehand which placement comes out best.
    const ideal = Math.min(...times);
    return [...times, ideal, ...runs.map((one) => one.medianToSlowest)];
  });
}

const isPart = (work: Json, part: string): boolean =>
  isObject(work) && "part" in work && work.part === part;

/** A random stream that no attempt uses: their numbers begin at 0. */
const PLACES = -2;

/** Phases with more than one reduce task, from jobs of all dates in turn. */
function reducePhases(model: LogModel, seed: number, count: number): readonly PhaseLog[] {
  const found: PhaseLog[] = [];
  for (let job = 0; found.length < count; job += 1) {
    const date = job % model.dates.length;
    const { phases } = drawJob(model, { date, job, seed });
    found.push(...phases.filter(({ role, bytes }) => role === "reduce" && bytes.length > 1));
  }
  return found.slice(0, count);
}

/** Times of the reduces and of the job, and the spread, without and with placement. */
function runGroupBy({ network, groupBy }: PlacementFile, seed: number): readonly number[] {
  const { racks, bytes, reduces, mapCpuBytesPerMs, reduceCpuBytesPerMs } = groupBy;
  const scenario = reduceScenario(
    { ...network, racks },
    {
      name: "group by",
      bytes: Array.from({ length: reduces }, () => bytes / reduces),
      cpuBytesPerMs: reduceCpuBytesPerMs,
    },
    { chance: randomState(seed, "group by"), maps: { cpuBytesPerMs: mapCpuBytesPerMs } },
  );
  const runs = [SCHEMES.Dryad, SCHEMES.Mantri].map((scheme) =>
    runPlacement(scenario, { ...scheme, seed }),
  );
  const all = (value: (run: PlacementRun) => number) => runs.map(value);
  return [
    ...all(({ phaseMs }) => phaseMs),
    ...all(({ jobMs }) => jobMs),
    ...all(({ spread }) => spread),
  ];
}
