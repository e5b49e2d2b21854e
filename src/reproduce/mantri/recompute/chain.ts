import { defined } from "../../../base/assert.ts";
import { split } from "../../../base/random.ts";
import { sum } from "../../../base/stats.ts";
import type { Ids } from "../../../hosts/sim/ids.ts";
import { placeReplicas, type RackedNode } from "../../../hosts/sim/replicas.ts";
import { SimPhase } from "../../../hosts/sim/state.ts";
import type { Workload } from "../../../hosts/sim/workload.ts";
import { type JobId, slotKind } from "../../../model/ids.ts";
import { MAP_STAGES, type Phase, REDUCE_STAGES, type Task } from "../../../model/job.ts";
import { workloadOfJobs } from "../jobs/job-workload.ts";
import type { JobLog } from "../logs/job-log.ts";
import type { LogModel } from "../logs/model.ts";
import { attemptOf } from "../logs/phase-log.ts";

/** The main line of a logged job: each phase reads the one before it. */
export interface Chain {
  readonly name: string;
  readonly atMs: number;
  /** The bytes that each phase reads: the whole output of the phase before it. */
  readonly bytes: readonly number[];
  /** The times of each phase's tasks. */
  readonly times: readonly (readonly number[])[];
}

export function chainOf(model: LogModel, { name, phases }: JobLog, atMs: number): Chain {
  return {
    name,
    atMs,
    bytes: phases.map(({ bytes }) => sum([...bytes])),
    times: phases.map((phase) =>
      Array.from(phase.bytes, (_, index) => attemptOf(model, phase, { index, ordinal: 0 }).ms),
    ),
  };
}

export interface Retry {
  readonly afterMs: number;
  /** The factor by which the wait grows before each further request. */
  readonly growth: number;
}

interface Made {
  readonly nodes: readonly RackedNode[];
  readonly chance: Parameters<typeof split>[0];
  /**
   * A reader asks again for a missing output: soon at first, so that the core gets the reports that
   * it waits for, then ever less often until the output is recomputed.
   */
  readonly retry: Retry;
}

/** Jobs that run one after the other. */
export const workloadOfChains = (chains: readonly Chain[], of: Made): Workload =>
  workloadOfJobs(
    chains.map(({ name, atMs, bytes: all, times }) => ({
      name,
      atMs,
      build: (job, ids) => {
        const phases: SimPhase[] = [];
        for (const [index, own] of times.entries()) {
          const bytes = defined(all[index], "what a phase reads");
          const outputBytes = all[index + 1] ?? bytes;
          const before = phases.at(-1);
          phases.push(phaseOf(own, { ...of, job, ids, index, bytes, outputBytes, before }));
        }
        return phases;
      },
    })),
  );

/**
 * A phase of the chain. Data is divided so that, at one rate for the phase, each task computes for
 * as long as it took in the log; reading and writing take no time, except for a missing output.
 */
function phaseOf(
  times: readonly number[],
  of: Made & {
    readonly job: JobId;
    readonly ids: Ids;
    readonly index: number;
    readonly bytes: number;
    readonly outputBytes: number;
    readonly before: SimPhase | undefined;
  },
): SimPhase {
  const { ids, nodes, bytes, before, job, retry } = of;
  const id = ids.phase();
  const chance = split(of.chance, id);
  const allMs = sum(times);
  const shares = times.map((ms) => ms / allMs);
  const outputPerInput = of.outputBytes / bytes;
  const common = { ...NOTHING_ELSE, cpuBytesPerMs: bytes / allMs, outputPerInput };
  const tasks = shares.map((share, place): Task => {
    const task = { id: ids.task(), phase: id, index: place };
    return before === undefined
      ? {
          ...task,
          inputBytes: share * bytes,
          replicas: placeReplicas(chance, nodes, REPLICAS),
          stages: MAP_STAGES,
        }
      : { ...task, replicas: [], stages: REDUCE_STAGES };
  });
  const phase: Phase = {
    id,
    name: `phase-${id}`,
    job,
    slots: [slotKind(of.index)],
    after: before === undefined ? [] : [{ phase: before.phase.id, start: { when: "done" } }],
    tasks,
  };
  return new SimPhase({
    phase,
    work:
      before === undefined
        ? {
            kind: "map",
            spec: { ...common, kind: "map", inputBytes: 1, replicas: REPLICAS, readsAhead: true },
            inputBytes: shares.map((share) => share * bytes),
          }
        : {
            kind: "reduce",
            spec: {
              ...common,
              kind: "reduce",
              lanes: nodes.length,
              partitionWeight: 1,
              copiesToDisk: false,
              outputReplicas: 1,
              outputBlockBytes: Number.POSITIVE_INFINITY,
              commitMs: 0,
              fetch: fetchOf(retry),
            },
            shares,
          },
    upstream: before === undefined ? [] : [before],
    failureProbability: 0,
    stream: chance,
  });
}

const fetchOf = ({ afterMs, growth }: Retry) => ({
  retryMs: afterMs,
  retryGrowth: growth,
  reportEveryFailures: 1,
  idleMs: 0,
});

/** The tasks only compute. */
const NOTHING_ELSE = { threads: 1, startMs: 0, sortPasses: 0 };

/** Raw data is stored reliably (§2). */
const REPLICAS = 3;
