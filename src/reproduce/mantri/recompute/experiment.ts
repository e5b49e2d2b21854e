import { defined } from "../../../base/assert.ts";
import type { Json } from "../../../base/json.ts";
import { type RandomState, randomState, split } from "../../../base/random.ts";
import {
  type Infer,
  number,
  object,
  positive,
  record,
  required,
  whole,
} from "../../../base/shape.ts";
import { sum } from "../../../base/stats.ts";
import { chance as chanceShape } from "../../../model/chance-shape.ts";
import { parseDiscipline } from "../../../policy/discipline.ts";
import type { Experiment, ExperimentFile, ExperimentKind, Extent, Unit } from "../../experiment.ts";
import { HEADING } from "../../heading.ts";
import { listSchedule } from "../appendix/list-schedule.ts";
import { drawJob, type JobLog } from "../logs/job-log.ts";
import { type LogModel, logModel } from "../logs/model.ts";
import { numberOf, withAbout } from "../study.ts";
import { type Chain, chainOf, type Retry } from "./chain.ts";
import { report } from "./figures.ts";
import { drawLoss, type EpisodeModel, type Loss } from "./losses.ts";
import { runChains } from "./recompute-run.ts";

type RecomputeSetup = Infer<typeof recomputeSetup>;
const recomputeSetup = record("jobs and machines that lose outputs", {
  nodes: required(whole({ min: 2 })),
  racks: required(whole({ min: 1 })),
  slotsPerNode: required(whole({ min: 1 })),
  retry: required(
    object<Retry>("when a reader asks again", {
      afterMs: required(positive),
      growth: required(number({ min: 1 })),
    }),
  ),
  /** The episode that hits each job once. */
  episode: required(
    object<EpisodeModel>("when a machine's outputs cannot be read", {
      lastsMs: required(chanceShape),
      everyMs: required(positive),
    }),
  ),
  /** The distance between two jobs, as a multiple of a job's time: no job waits for another. */
  apart: required(number({ min: 1 })),
  phasesMin: required(whole({ min: 2 })),
  phasesMost: required(whole({ min: 2 })),
  tasksMost: required(whole({ min: 1 })),
});

/** §6.5: Figures 21 to 23. */
type RecomputeFile = Infer<typeof file>;
const file = record("an experiment on lost outputs", {
  ...HEADING,
  setup: required(recomputeSetup),
  /** Jobs per run, one after the other; the policy learns from the first `learning` jobs. */
  jobs: required(whole({ min: 1 })),
  learning: required(whole({ min: 0 })),
});

const PLAIN = parseDiscipline("none,sharing=fifo-plain");

/** All other schemes are compared with the first. */
const SCHEMES = [
  { discipline: PLAIN, isSpared: false },
  { discipline: parseDiscipline("mantri-protection"), isSpared: false },
  { discipline: PLAIN, isSpared: true },
  {
    discipline: parseDiscipline("mantri-protection", ["data.recomputeBudget=0"]),
    isSpared: false,
  },
  {
    discipline: parseDiscipline("mantri-protection", ["data.replicationBudget=0"]),
    isSpared: false,
  },
  {
    discipline: parseDiscipline("mantri-protection", ["data.recomputesMin=2"]),
    isSpared: false,
  },
];

export const recompute: ExperimentKind = {
  kind: "mantri-recompute",
  make: ({ name, json, place, calibration }: ExperimentFile): Experiment => {
    const read = file.read(json, place);
    const model = logModel(calibration);
    return {
      name,
      title: read.title,
      paper: read.paper,
      figures: read.figures,
      units: (extent) => units(read, extent),
      run: ({ work }) => run(read, model, numberOf(work, "run") + 1),
      report: (done, { runs }) => {
        const logged = sum(model.dates.map((date) => date.jobs));
        const { phasesMin, phasesMost, tasksMost } = read.setup;
        const of =
          `the ${logged} of the logs, drawn from those with ${phasesMin} to ${phasesMost} phases ` +
          `of up to ${tasksMost} tasks`;
        return withAbout(read, report(done, { runs, of }));
      },
    };
  },
};

const JOB_COST = 0.15;

const units = ({ jobs }: RecomputeFile, { runs }: Extent): readonly Unit[] =>
  Array.from({ length: runs }, (_, run) => ({
    key: `run ${run}`,
    cost: jobs * JOB_COST,
    work: { run },
  }));

/** A row for each job after the learning phase: `figures.ts` reads it scheme by scheme. */
function run(read: RecomputeFile, model: LogModel, seed: number): Json {
  const chance = randomState(seed, "recompute");
  const { chains, losses } = drawJobs(read, model, chance);
  const { setup: cluster, learning } = read;
  const schemes = SCHEMES.map(({ discipline, isSpared }) =>
    runChains(chains, {
      cluster,
      losses: isSpared ? [] : losses,
      discipline,
      chance: split(chance, DATA),
    }),
  );
  return chains
    .map((_, job) =>
      schemes.flatMap((jobs) => {
        const of = defined(jobs[job], "a job under every scheme");
        return [
          of.responseMs / 1_000,
          of.missed,
          of.bytesRead / 1e9,
          of.bytesReplicated / 1e9,
          of.precomputedMs / 1_000,
          of.slotMs / 1_000,
          of.replicated,
          of.replicasUsed,
          of.precomputed,
          of.precomputedUsed,
        ];
      }),
    )
    .slice(learning);
}

const DATA = 1;
const LOSSES = 2;

function drawJobs(
  { setup, jobs }: RecomputeFile,
  model: LogModel,
  chance: RandomState,
): { readonly chains: readonly Chain[]; readonly losses: readonly Loss[] } {
  const chains: Chain[] = [];
  const losses: Loss[] = [];
  const slots = setup.nodes * setup.slotsPerNode;
  let atMs = 0;
  for (let job = 0; chains.length < jobs; job += 1) {
    const date = job % model.dates.length;
    const log = drawJob(model, { date, job, seed: chance.a });
    if (!isSuitable(setup, log)) continue;
    const chain = chainOf(model, { ...log, name: `${log.name} of ${job}` }, atMs);
    const lastsMs = sum(chain.times.map((times) => listSchedule(times, slots)));
    const own = split(chance, LOSSES + job);
    const from = { from: atMs, to: atMs + lastsMs };
    const { nodes: machines, episode } = setup;
    losses.push(drawLoss(own, { losses: model.losses, machines, episode }, from));
    chains.push(chain);
    atMs += setup.apart * lastsMs;
  }
  return { chains, losses };
}

const isSuitable = (
  { phasesMin, phasesMost, tasksMost }: RecomputeSetup,
  { phases }: JobLog,
): boolean =>
  phases.length >= phasesMin &&
  phases.length <= phasesMost &&
  phases.every(({ bytes }) => bytes.length <= tasksMost);
