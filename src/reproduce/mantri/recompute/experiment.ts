import { defined } from "../../../base/assert.ts";
import { type RandomState, randomState, split } from "../../../base/random.ts";
import {
  flag,
  type Infer,
  list,
  number,
  object,
  positive,
  record,
  required,
  standard,
  whole,
} from "../../../base/shape.ts";
import { sum } from "../../../base/stats.ts";
import { chance as chanceShape } from "../../../model/chance-shape.ts";
import { studyKind } from "../../study/kind.ts";
import { disciplineOf, SCHEME } from "../../study/scheme.ts";
import type { Row } from "../../study/table.ts";
import { numberOf } from "../../study/work.ts";
import { listSchedule } from "../appendix/list-schedule.ts";
import { drawJob, type JobLog } from "../logs/job-log.ts";
import { type LogModel, logModel } from "../logs/model.ts";
import { type Chain, chainOf, type Retry } from "./chain.ts";
import { drawLoss, type EpisodeModel, type Loss } from "./losses.ts";
import { type RecomputedJob, runChains } from "./recompute-run.ts";

type RecomputeCluster = Infer<typeof cluster>;
const cluster = record("jobs and machines that lose outputs", {
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

type RecomputeSetup = Infer<typeof setup>;
const setup = record("a study of lost outputs", {
  cluster: required(cluster),
  /** Jobs per run, one after the other; the policy learns from the first `learning` jobs. */
  jobs: required(whole({ min: 1 })),
  learning: required(whole({ min: 0 })),
  /** All other schemes are compared with the first. */
  schemes: required(
    list(
      /** A spared scheme loses no outputs. */
      record("a scheme", { ...SCHEME, isSpared: standard(flag, false) }),
      { min: 1 },
    ),
  ),
});

const JOB_COST = 0.15;

/** §6.5: Figures 21 to 23. */
export const recompute = studyKind<RecomputeSetup>({
  kind: "mantri-recompute",
  setup,
  open: (of, calibration) => {
    const model = logModel(calibration);
    const { cluster, jobs } = of;
    const { phasesMin, phasesMost, tasksMost } = cluster;
    return {
      units: ({ runs }) =>
        Array.from({ length: runs }, (_, run) => ({
          key: `run ${run}`,
          cost: jobs * JOB_COST,
          work: { run },
        })),
      run: (work) => ({ jobs: jobRows(of, model, numberOf(work, "run") + 1) }),
      numbers: (tables) => ({
        jobs: tables("jobs").count,
        hit: tables("jobs")
          .column("missed of none")
          .filter((missed) => missed > 0).length,
        logged: sum(model.dates.map((date) => date.jobs)),
        ...{ phasesMin, phasesMost, tasksMost },
      }),
    };
  },
});

/** The jobs after the learning phase, with the numbers of each scheme. */
function jobRows(
  { cluster, jobs, learning, schemes }: RecomputeSetup,
  model: LogModel,
  seed: number,
): readonly Row[] {
  const chance = randomState(seed, "recompute");
  const { chains, losses } = drawJobs(cluster, { jobs, model, chance });
  const runs = schemes.map(({ label, isSpared, ...scheme }) => ({
    label,
    jobs: runChains(chains, {
      cluster,
      losses: isSpared ? [] : losses,
      discipline: disciplineOf(scheme),
      chance: split(chance, DATA),
    }),
  }));
  return chains
    .map((_, job) => {
      const under = runs.map(({ label, jobs: own }) => {
        return { label, job: scaled(defined(own[job], "a job under every scheme")) };
      });
      const first = defined(under[0], "a scheme").job;
      const rows = under.map(({ label, job: own }) =>
        Object.entries({
          ...own,
          reduction: 1 - own.response / first.response,
          eliminated: first.missed > 0 ? 1 - own.missed / first.missed : undefined,
        }).map(([name, value]) => [`${name} of ${label}`, value] as const),
      );
      return Object.fromEntries(rows.flat());
    })
    .slice(learning);
}

/** In seconds and gigabytes. */
const scaled = ({
  responseMs,
  slotMs,
  precomputedMs,
  bytesRead,
  bytesReplicated,
  ...counts
}: RecomputedJob) => ({
  ...counts,
  response: responseMs / 1_000,
  slotTime: slotMs / 1_000,
  precomputedTime: precomputedMs / 1_000,
  read: bytesRead / 1e9,
  replicatedBytes: bytesReplicated / 1e9,
});

const DATA = 1;
const LOSSES = 2;

function drawJobs(
  setup: RecomputeCluster,
  of: { readonly jobs: number; readonly model: LogModel; readonly chance: RandomState },
): { readonly chains: readonly Chain[]; readonly losses: readonly Loss[] } {
  const { jobs, model, chance } = of;
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
  { phasesMin, phasesMost, tasksMost }: RecomputeCluster,
  { phases }: JobLog,
): boolean =>
  phases.length >= phasesMin &&
  phases.length <= phasesMost &&
  phases.every(({ bytes }) => bytes.length <= tasksMost);
