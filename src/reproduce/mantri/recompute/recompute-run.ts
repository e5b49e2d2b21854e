import { defined } from "../../../base/assert.ts";
import type { RandomState } from "../../../base/random.ts";
import { fluidRun } from "../../../hosts/sim/fluid-run.ts";
import type { ClusterSpec } from "../../../hosts/sim/scenario.ts";
import { simulateWorkload } from "../../../hosts/sim/simulate-once.ts";
import { type AttemptEnded, type Fact, slotMs } from "../../../model/fact.ts";
import type { AttemptId, TaskId } from "../../../model/ids.ts";
import type { Job } from "../../../model/job.ts";
import type { Discipline } from "../../../policy/policy.ts";
import { type Chain, type Retry, workloadOfChains } from "./chain.ts";
import { isLost, type Loss } from "./losses.ts";

/** The measures of a job in §6.5. */
export interface RecomputedJob {
  readonly responseMs: number;
  /** Outputs that were recomputed because readers had missed them. */
  readonly missed: number;
  readonly bytesRead: number;
  readonly bytesReplicated: number;
  /** Slot time of recomputations before any reader missed the output. */
  readonly precomputedMs: number;
  readonly slotMs: number;
  /** Outputs that were replicated, and the number of these whose first copy was lost. */
  readonly replicated: number;
  readonly replicasUsed: number;
  /** Outputs that were recomputed in advance, and the number of these that were truly gone. */
  readonly precomputed: number;
  readonly precomputedUsed: number;
}

export interface RecomputeCluster {
  readonly nodes: number;
  readonly racks: number;
  readonly slotsPerNode: number;
  readonly retry: Retry;
}

/** Runs jobs one after the other on machines whose outputs cannot be read at given times. */
export function runChains(
  chains: readonly Chain[],
  of: {
    readonly cluster: RecomputeCluster;
    readonly losses: readonly Loss[];
    readonly discipline: Discipline;
    readonly chance: RandomState;
  },
): readonly RecomputedJob[] {
  const { cluster, losses, discipline, chance } = of;
  const tally = new RecomputeTally(losses);
  const result = simulateWorkload(
    {
      cluster: clusterOf(cluster, Math.max(...chains.map(({ times }) => times.length))),
      workload: (nodes) =>
        workloadOfChains(chains, {
          nodes: nodes.map(({ node }) => node),
          chance,
          retry: cluster.retry,
        }),
      faults: losses.map(({ machine, from, to, everyMs }) => {
        return { kind: "lose-outputs", at: from, everyMs, until: to, node: `machine-${machine}` };
      }),
      makeRun: fluidRun,
    },
    { seed: 1, discipline, onFact: (fact) => tally.apply(fact) },
  );
  const ended = new Map(result.jobs.map((job) => [job.name, job]));
  return chains.map(({ name }) => {
    const { responseMs, endedAtMs } = defined(ended.get(name), "the end of a job");
    return { responseMs, ...tally.figures(name, endedAtMs) };
  });
}

const UNLIMITED = 1e15;

/**
 * A cluster on which data moves in no time, so that jobs wait only for recomputation. Each phase
 * has slots of its own. The phases of a chain run one after the other, so these are the job's
 * slots, and a recomputation finds idle ones (§4.3) even while its readers wait on theirs: in
 * parallel (§5.3).
 */
function clusterOf({ nodes, racks, slotsPerNode }: RecomputeCluster, phases: number): ClusterSpec {
  const slotKinds = Array.from({ length: phases }, (_, phase) => `slot-${phase}`);
  return {
    slotKinds,
    racks: Array.from({ length: racks }, (_, rack) => `rack-${rack}`),
    nodes: [
      {
        name: "machine",
        count: nodes,
        factor: 1,
        slots: Object.fromEntries(slotKinds.map((kind) => [kind, slotsPerNode])),
        host: "server",
        vmsPerHost: 1,
      },
    ],
    hosts: {
      server: {
        cores: phases * slotsPerNode,
        coresPerVm: phases * slotsPerNode,
        disk: [{ streams: 1, perMs: UNLIMITED }],
        diskBytesPerMsPerVm: UNLIMITED,
        upBytesPerMs: UNLIMITED,
        downBytesPerMs: UNLIMITED,
      },
    },
    rackUpBytesPerMs: UNLIMITED,
    rackDownBytesPerMs: UNLIMITED,
    heartbeatMs: 0,
    outOfBandHeartbeat: false,
    reportEveryMs: 0,
    askAgainMs: 60_000,
    statisticsEveryMs: 0,
    linkSampleMs: 0,
    shareEveryMs: 0,
    attemptsMax: Number.POSITIVE_INFINITY,
  };
}

interface Account {
  /** Outputs whose last recomputation came before any reader missed them. */
  readonly early: Set<TaskId>;
  readonly replicas: { readonly machine: number; readonly from: number }[];
  readonly figures: Counted;
}

type Counted = {
  -readonly [K in Exclude<keyof RecomputedJob, "responseMs" | "replicasUsed">]: number;
};

interface Made {
  readonly machine: number;
  readonly at: number;
  readonly bytes: number;
}

/** A fold over the facts of a run of several jobs that knows what is lost when. */
class RecomputeTally {
  readonly #losses: readonly Loss[];
  readonly #names = new Map<string, Account>();
  readonly #accounts = new Map<TaskId, Account>();
  /** Attempts that recompute an output before any reader missed it. */
  readonly #early = new Set<AttemptId>();
  /** The last time and place of each output's writing. */
  readonly #made = new Map<TaskId, Made>();

  constructor(losses: readonly Loss[]) {
    this.#losses = losses;
  }

  apply(fact: Fact): void {
    switch (fact.kind) {
      case "job-submitted":
        this.#submitted(fact.job);
        return;
      case "attempt-launched":
        this.#launched(fact);
        return;
      case "attempt-ended":
        this.#ended(fact);
        return;
      case "output-made":
        this.#outputMade(fact);
        return;
      case "output-copied":
        this.#replicated(fact);
        return;
      case "task-reopened":
        this.#reopened(fact);
        return;
      default:
    }
  }

  #submitted(job: Job): void {
    const tasks = job.phases.flatMap((phase) => [...phase.tasks]);
    const bytesRead = tasks.reduce((sum, { inputBytes = 0 }) => sum + inputBytes, 0);
    const account = { early: new Set<TaskId>(), replicas: [], figures: { ...NOTHING, bytesRead } };
    this.#names.set(job.name, account);
    for (const { id } of tasks) this.#accounts.set(id, account);
  }

  /**
   * A recomputation for a reader that missed the output counts as missed, any other as made in
   * advance.
   */
  #reopened({ at: now, task, why }: Extract<Fact, { kind: "task-reopened" }>): void {
    const account = this.#account(task);
    const { figures } = account;
    if (why.rule === MISSED) {
      account.early.delete(task);
      figures.missed += 1;
      return;
    }
    account.early.add(task);
    const { machine, at } = defined(this.#made.get(task), "what is made again was made");
    figures.precomputed += 1;
    if (this.#isLost(machine, { from: at, to: now })) figures.precomputedUsed += 1;
  }

  #launched({ as, attempt, task }: Extract<Fact, { kind: "attempt-launched" }>): void {
    if (as === "recompute" && this.#account(task).early.has(task)) this.#early.add(attempt);
  }

  #ended(fact: AttemptEnded): void {
    const { figures } = this.#account(fact.task);
    const ranMs = slotMs(fact);
    figures.slotMs += ranMs;
    if (this.#early.delete(fact.attempt)) figures.precomputedMs += ranMs;
  }

  #outputMade(fact: Extract<Fact, { kind: "output-made" }>): void {
    const { again, at, node: machine, output, task } = fact;
    const { bytes } = output;
    // Readers read an output once, however often it is recomputed.
    if (!again) this.#account(task).figures.bytesRead += bytes;
    this.#made.set(task, { machine, at, bytes });
  }

  #replicated({ at, task }: Extract<Fact, { kind: "output-copied" }>): void {
    const { figures, replicas } = this.#account(task);
    const { machine, bytes } = defined(this.#made.get(task), "what is replicated was made");
    replicas.push({ machine, from: at });
    figures.replicated += 1;
    figures.bytesReplicated += bytes;
  }

  #isLost(machine: number, { from, to }: { readonly from: number; readonly to: number }): boolean {
    return this.#losses.some((loss) => isLost(loss, { machine, from, to }));
  }

  #account(task: TaskId): Account {
    return defined(this.#accounts.get(task), "the job of a task");
  }

  figures(name: string, endedAt: number): Omit<RecomputedJob, "responseMs"> {
    const { figures, replicas } = defined(this.#names.get(name), `job ${name}`);
    const used = replicas.filter(({ machine, from }) =>
      this.#isLost(machine, { from, to: endedAt }),
    );
    return { ...figures, replicasUsed: used.length };
  }
}

/** The core's own reason for a recomputation. */
const MISSED = "output-missed";

const NOTHING: Counted = {
  missed: 0,
  bytesRead: 0,
  bytesReplicated: 0,
  precomputedMs: 0,
  slotMs: 0,
  replicated: 0,
  precomputed: 0,
  precomputedUsed: 0,
};
