import { EventHeap } from "../src/base/heap.ts";
import { log, pow } from "../src/base/math.ts";
import { mulberry32, randomState } from "../src/base/random.ts";
import type { Setup } from "../src/core/setup.ts";
import type { Ids } from "../src/hosts/sim/ids.ts";
import { EVEN_STEPS, type Profile } from "../src/hosts/sim/profile.ts";
import type { ClusterSpec } from "../src/hosts/sim/scenario.ts";
import { simulateWorkload } from "../src/hosts/sim/simulate.ts";
import { SimPhase } from "../src/hosts/sim/state.ts";
import type { Arrival, SimJob, Workload } from "../src/hosts/sim/workload.ts";
import { type Instant, slotKind } from "../src/model/ids.ts";
import { type Job, MAP_STAGES, type Phase, type Task } from "../src/model/job.ts";

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

export interface W1Result {
  /** Sum of the jobs' completion times, from arrival to end, in ms. */
  readonly sumJct: number;
  /** End of the last job, in ms. */
  readonly makespan: number;
  readonly tasks: number;
}

/** `kernel`: the agenda and a queue, nothing else. `full`: the whole simulator and scheduler. */
export type W1Mode = "kernel" | "full";

const SEED = 1;
const LOAD = 0.8;
const SHAPE = 1.5;
const SHORTEST_MS = 10_000;
const LONGEST_MS = 10_000_000;
const SLOTS_PER_NODE = 10;

/** `full` uses the discipline: first come, first served, without speculation. */
export function runW1(
  size: W1Size,
  how:
    | { readonly mode: "kernel" }
    | { readonly mode: "full"; readonly discipline: Setup["discipline"] },
): W1Result {
  return how.mode === "kernel" ? kernel(size) : full(size, how.discipline);
}

/** The two random streams of the workload. */
class Draws {
  readonly #arrivals = mulberry32(SEED);
  readonly #durations = mulberry32(SEED ^ 0x9e3779b9);
  readonly #gapMs: number;
  #sum = 0;

  constructor({ tasksPerJob, slots }: W1Size) {
    // The mean of the Pareto distribution that is cut off at the longest time.
    const meanMs =
      (SHAPE * SHORTEST_MS) / (SHAPE - 1) -
      (pow(SHORTEST_MS, SHAPE) * pow(LONGEST_MS, 1 - SHAPE)) / (SHAPE - 1);
    this.#gapMs = (tasksPerJob * meanMs) / (slots * LOAD);
  }

  arrivalMs(): number {
    this.#sum += -log(1 - this.#arrivals()) * this.#gapMs;
    return Math.ceil(this.#sum);
  }

  durationMs(): number {
    const ms = Math.ceil(SHORTEST_MS / pow(1 - this.#durations(), 1 / SHAPE));
    return Math.min(LONGEST_MS, ms);
  }
}

/** The payload of an arrival; other payloads are the job's index among the live ones. */
const ARRIVES = -1;

interface KernelJob {
  readonly arrivedAt: number;
  waiting: number;
  unfinished: number;
}

function kernel(size: W1Size): W1Result {
  const draws = new Draws(size);
  const agenda = new EventHeap(size.slots + 1);
  const live: KernelJob[] = [];
  const freePlaces: number[] = [];
  /** Indices of jobs with waiting tasks, oldest first, from `head` on. */
  const queue: number[] = [];
  let head = 0;
  let freeSlots = size.slots;
  let coming = 1;
  let result: W1Result = { sumJct: 0, makespan: 0, tasks: size.jobs * size.tasksPerJob };
  agenda.push(draws.arrivalMs(), ARRIVES);
  while (agenda.size > 0) {
    const now = agenda.nextTime;
    const payload = agenda.pop();
    if (payload === ARRIVES) {
      const place = freePlaces.pop() ?? live.length;
      const { tasksPerJob } = size;
      live[place] = { arrivedAt: now, waiting: tasksPerJob, unfinished: tasksPerJob };
      queue.push(place);
      if (coming++ < size.jobs) agenda.push(draws.arrivalMs(), ARRIVES);
    } else {
      freeSlots += 1;
      const job = live[payload]!;
      job.unfinished -= 1;
      if (job.unfinished === 0) {
        freePlaces.push(payload);
        const sumJct = result.sumJct + now - job.arrivedAt;
        result = { ...result, sumJct, makespan: now };
      }
    }
    while (freeSlots > 0 && head < queue.length) {
      const place = queue[head]!;
      const job = live[place]!;
      freeSlots -= 1;
      job.waiting -= 1;
      if (job.waiting === 0) head += 1;
      agenda.push(now + draws.durationMs(), place);
    }
    if (head === queue.length) {
      queue.length = 0;
      head = 0;
    }
  }
  return result;
}

function full(size: W1Size, discipline: Setup["discipline"]): W1Result {
  const result = simulateWorkload(
    { cluster: clusterOf(size), workload: () => new W1Workload(size), faults: [] },
    { seed: SEED, discipline },
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
    const tasks: Task[] = [];
    for (let index = 0; index < this.#size.tasksPerJob; index += 1) {
      tasks.push({ id: ids.task(), phase: id, index, replicas: NOWHERE, stages: MAP_STAGES });
    }
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

const NOWHERE: readonly never[] = [];

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
