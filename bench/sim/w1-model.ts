import { LadderQueue } from "../../src/base/ladder-queue.ts";
import { randomState } from "../../src/base/random.ts";
import type { Setup } from "../../src/core/state/setup.ts";
import type { Ids } from "../../src/hosts/sim/ids.ts";
import { EVEN_STEPS, type Profile } from "../../src/hosts/sim/profile.ts";
import type { ClusterSpec } from "../../src/hosts/sim/scenario.ts";
import { type SimulationOptions, simulateWorkload } from "../../src/hosts/sim/simulate-once.ts";
import { SimPhase } from "../../src/hosts/sim/state.ts";
import type { Arrival, SimJob, Workload } from "../../src/hosts/sim/workload.ts";
import { AlikeTasks } from "../../src/model/alike-tasks.ts";
import { type Instant, slotKind } from "../../src/model/ids.ts";
import { type Job, MAP_STAGES, type Phase } from "../../src/model/job.ts";
import { Draws, SEED } from "./w1-draws.ts";

/**
 * Workload W1, fifo-pareto: jobs of equal size arrive at a load of 0.8; the tasks' times are
 * Pareto, drawn in the order of launches; the first job's tasks go first. Any first-come scheduler
 * of identical slots gives the same sums, to the last digit.
 */
export interface W1Size {
  readonly jobs: number;
  readonly tasksPerJob: number;
  readonly slots: number;
}

export const W1_SIZES: Readonly<Record<"S" | "M" | "L" | "XL", W1Size>> = {
  S: { jobs: 100, tasksPerJob: 1_000, slots: 1_000 },
  M: { jobs: 1_000, tasksPerJob: 1_000, slots: 10_000 },
  L: { jobs: 10_000, tasksPerJob: 1_000, slots: 100_000 },
  XL: { jobs: 100_000, tasksPerJob: 1_000, slots: 100_000 },
};

/** Throws if there is no such size. */
export function sizeOf(name: string | undefined): W1Size {
  const [, size] = Object.entries(W1_SIZES).find(([known]) => known === name) ?? [];
  if (size === undefined) throw new Error(`no size ${name}`);
  return size;
}

export interface W1Result {
  /** Sum of the jobs' completion times, from arrival to end, in ms. */
  readonly sumJct: number;
  /** End of the last job, in ms. */
  readonly makespan: number;
  readonly tasks: number;
}

/** `kernel`: the agenda and a queue, nothing else. `full`: the whole simulator and scheduler. */
export type W1Mode = "kernel" | "full";

const SLOTS_PER_NODE = 10;

export type W1Listeners = Pick<SimulationOptions, "onStart" | "onStep">;

/** `full` uses the discipline: first come, first served, without speculation. */
export function runW1(
  size: W1Size,
  how:
    | { readonly mode: "kernel" }
    | ({ readonly mode: "full"; readonly discipline: Setup["discipline"] } & W1Listeners),
): W1Result {
  return how.mode === "kernel" ? kernel(size) : full(size, how);
}

/** The payload of an arrival; other payloads are the number of the job whose task ends. */
const ARRIVES = -1;

function kernel({ jobs, tasksPerJob, slots }: W1Size): W1Result {
  const draws = new Draws({ tasksPerJob, slots });
  const agenda = new LadderQueue(slots + 1);
  const arrivedAt = new Float64Array(jobs);
  const unfinished = new Int32Array(jobs).fill(tasksPerJob);
  let arrived = 0;
  let freeSlots = slots;
  /** The first job with waiting tasks, and how many of them wait. */
  let head = 0;
  let waiting = tasksPerJob;
  let sumJct = 0;
  let makespan = 0;
  agenda.push(draws.arrivalMs(), ARRIVES);
  while (agenda.size > 0) {
    const now = agenda.nextTime;
    const job = agenda.pop();
    if (job === ARRIVES) {
      arrivedAt[arrived++] = now;
      if (arrived < jobs) agenda.push(draws.arrivalMs(), ARRIVES);
    } else {
      freeSlots += 1;
      const left = unfinished[job]! - 1;
      unfinished[job] = left;
      if (left === 0) {
        sumJct += now - arrivedAt[job]!;
        makespan = now;
      }
    }
    while (freeSlots > 0 && head < arrived) {
      freeSlots -= 1;
      agenda.push(now + draws.durationMs(), head);
      waiting -= 1;
      if (waiting > 0) continue;
      head += 1;
      waiting = tasksPerJob;
    }
  }
  return { sumJct, makespan, tasks: jobs * tasksPerJob };
}

function full(
  size: W1Size,
  how: { readonly discipline: Setup["discipline"] } & W1Listeners,
): W1Result {
  const { discipline, onStart, onStep } = how;
  const result = simulateWorkload(
    { cluster: clusterOf(size), workload: () => new W1Workload(size), faults: [] },
    {
      seed: SEED,
      discipline,
      ...(onStart !== undefined && { onStart }),
      ...(onStep !== undefined && { onStep }),
    },
  );
  let sumJct = 0;
  for (const { responseMs } of result.jobs) sumJct += responseMs;
  return { sumJct, makespan: result.makespanMs, tasks: result.tasks };
}

function clusterOf({ slots }: W1Size): ClusterSpec {
  const unlimited = Number.POSITIVE_INFINITY;
  return {
    slotKinds: ["slot"],
    racks: ["rack"],
    nodes: [
      {
        name: "node",
        count: slots / SLOTS_PER_NODE,
        factor: 1,
        slots: { slot: SLOTS_PER_NODE },
        vmsPerHost: 1,
      },
    ],
    hosts: {},
    rackUpBytesPerMs: unlimited,
    rackDownBytesPerMs: unlimited,
    linkSampleMs: 0,
    heartbeatMs: 0,
    outOfBandHeartbeat: false,
    reportEveryMs: 0,
    shareEveryMs: 0,
    statisticsEveryMs: 0,
    askAgainMs: 3_000,
    attemptsMax: 4,
  };
}

/**
 * Jobs are built when they arrive, times drawn when tasks launch: memory is proportional to the
 * live jobs.
 */
class W1Workload implements Workload {
  readonly #draws: Draws;
  readonly #size: W1Size;
  #made = 0;

  constructor(size: W1Size) {
    this.#size = size;
    this.#draws = new Draws(size);
  }

  next(): Arrival | undefined {
    if (this.#made === this.#size.jobs) return undefined;
    const name = `job-${this.#made++}`;
    return {
      atMs: this.#draws.arrivalMs(),
      build: (ids, at) => this.#build(name, ids, at),
    };
  }

  #build(name: string, ids: Ids, at: Instant): SimJob {
    const job = ids.job();
    const id = ids.phase();
    const length = this.#size.tasksPerJob;
    const first = ids.tasks(length);
    const tasks = new AlikeTasks(first, length, { phase: id, replicas: [], stages: MAP_STAGES });
    const phase: Phase = { id, name: "run", job, slots: [slotKind(0)], after: [], tasks };
    const made = new SimPhase({
      phase,
      work: { kind: "fixed", profile: () => evenProfile(this.#draws.durationMs()) },
      upstream: [],
      failureProbability: 0,
      stream: randomState(SEED),
    });
    return { job: jobOf({ job, name, at, phase }), phases: [made] };
  }
}

const evenProfile = (totalMs: number): Profile => ({
  totalMs,
  steps: EVEN_STEPS,
  bytesRead: 0,
  slowedByNode: true,
  startMs: 0,
});

function jobOf(of: {
  readonly job: Job["id"];
  readonly name: string;
  readonly at: Instant;
  readonly phase: Phase;
}): Job {
  return {
    id: of.job,
    name: of.name,
    user: "user",
    pool: "default",
    priority: "normal",
    submittedAt: of.at,
    phases: [of.phase],
  };
}
