import { assert, defined } from "../../../base/assert.ts";
import { median } from "../../../base/stats.ts";
import type { ClusterSpec } from "../../../hosts/sim/scenario.ts";
import { simulateWorkload } from "../../../hosts/sim/simulate-once.ts";
import type { Fact } from "../../../model/fact.ts";
import type { Fault } from "../../../model/fault.ts";
import type { AttemptId, TaskId } from "../../../model/ids.ts";
import type { Job } from "../../../model/job.ts";
import type { Discipline } from "../../../policy/policy.ts";
import { type RunnableJob, workloadOf } from "./job-workload.ts";

/** The measures of a job, or of a phase alone, in §6.2 and §6.3. */
export interface LoggedJobRun {
  readonly completionMs: number;
  /** Slot time of all attempts, however they ended. */
  readonly resourceMs: number;
  /** Copies and restarted tasks. */
  readonly restarts: number;
  /**
   * §5.1.1, P(t_new < t_rem): the copies and restarts that ended before the attempts beside them
   * would have.
   */
  readonly successes: number;
}

/**
 * Mantri §5: an attempt reports its progress every 10 s, or ten times in a task's life if that is
 * more often.
 */
const REPORT_MS = 10_000;
const REPORTS_PER_TASK = 10;
/** How often idle slots are offered again within the time of a usual task. */
const ASKS_PER_TASK = 10;
const NODES = 10;

/** Runs a job on its own slots. */
export function runJob(
  job: RunnableJob,
  of: {
    readonly discipline: Discipline;
    readonly seed?: number;
    readonly faults?: readonly Fault[];
    readonly onFact?: (fact: Fact) => void;
  },
): LoggedJobRun {
  const { discipline, seed = 1, faults = [] } = of;
  const usualMs = median(
    job.phases.flatMap(({ bytes, time }) =>
      Array.from(bytes, (_, index) => time({ index, ordinal: 0 })),
    ),
  );
  const tally = new RestartTally(job);
  const cluster = slotsAlone(job.slots, {
    reportEveryMs: Math.min(REPORT_MS, usualMs / REPORTS_PER_TASK),
    askAgainMs: usualMs / ASKS_PER_TASK,
  });
  const result = simulateWorkload(
    { cluster, workload: () => workloadOf(job), faults },
    {
      seed,
      discipline,
      onFact: (fact) => {
        tally.apply(fact);
        of.onFact?.(fact);
      },
    },
  );
  assert(result.unfinished.length === 0, `${job.name} never ends`);
  const { resourceMs, restarts, successes } = tally;
  return { completionMs: result.makespanMs, resourceMs, restarts, successes };
}

/**
 * Slots on a few nodes. Each attempt draws its own hindrances: a slot stands for a different
 * machine of the cluster each time, and the nodes only keep copies apart.
 */
function slotsAlone(
  slots: number,
  times: { readonly reportEveryMs: number; readonly askAgainMs: number },
): ClusterSpec {
  const unlimited = Number.POSITIVE_INFINITY;
  const count = Math.min(slots, NODES);
  const each = Math.floor(slots / count);
  const larger = slots - each * count;
  const node = { factor: 1, vmsPerHost: 1 };
  return {
    slotKinds: ["slot"],
    racks: ["rack"],
    nodes: [
      { ...node, name: "large", count: larger, slots: { slot: each + 1 } },
      { ...node, name: "small", count: count - larger, slots: { slot: each } },
    ],
    hosts: {},
    rackUpBytesPerMs: unlimited,
    rackDownBytesPerMs: unlimited,
    heartbeatMs: 0,
    outOfBandHeartbeat: false,
    ...times,
    statisticsEveryMs: times.reportEveryMs,
    linkSampleMs: 0,
    shareEveryMs: 0,
    attemptsMax: 4,
  };
}

interface Begun {
  readonly task: TaskId;
  readonly at: number;
  readonly endsAt: number;
  /** For a copy or a restart: the earliest end of the attempts that it is to help. */
  readonly others: number | undefined;
}

interface Known {
  readonly time: (ordinal: number) => number;
  launches: number;
  /** The task's attempts that have not ended. */
  readonly running: Set<Begun>;
  /** The attempt that was killed last, to be restarted. */
  killed: { readonly at: number; readonly wouldEndAt: number };
}

const NONE_KILLED = { at: Number.NEGATIVE_INFINITY, wouldEndAt: Number.POSITIVE_INFINITY };

/** A fold over the facts of one job's run. */
class RestartTally {
  resourceMs = 0;
  restarts = 0;
  successes = 0;
  readonly #job: RunnableJob;
  readonly #begun = new Map<AttemptId, Begun>();
  readonly #known = new Map<TaskId, Known>();

  constructor(job: RunnableJob) {
    this.#job = job;
  }

  apply(fact: Fact): void {
    if (fact.kind === "job-submitted") this.#submitted(fact.job);
    else if (fact.kind === "attempt-started") this.#started(fact);
    else if (fact.kind === "attempt-ended") this.#ended(fact);
  }

  #submitted(job: Job): void {
    for (const [i, { tasks }] of job.phases.entries()) {
      const { time } = defined(this.#job.phases[i], "a phase of the job");
      for (const { id, index } of tasks) {
        this.#known.set(id, {
          time: (ordinal) => time({ index, ordinal }),
          launches: 0,
          running: new Set(),
          killed: NONE_KILLED,
        });
      }
    }
  }

  #started({ at, attempt, task, as }: Extract<Fact, { kind: "attempt-started" }>): void {
    const known = defined(this.#known.get(task), "a task of the job");
    const helps = as === "speculative" || as === "restart";
    if (helps) this.restarts += 1;
    const endsAt = at + known.time(known.launches);
    const begun = { task, at, endsAt, others: helps ? othersEndAt(known, at) : undefined };
    known.launches += 1;
    known.running.add(begun);
    this.#begun.set(attempt, begun);
  }

  #ended({ at, attempt, end }: Extract<Fact, { kind: "attempt-ended" }>): void {
    const succeeded = end.how === "succeeded";
    const begun = defined(this.#begun.get(attempt), "an attempt that began");
    const known = defined(this.#known.get(begun.task), "a task of the job");
    known.running.delete(begun);
    if (!succeeded) known.killed = { at, wouldEndAt: begun.endsAt };
    this.resourceMs += at - begun.at;
    if (succeeded && begun.others !== undefined && at < begun.others) this.successes += 1;
  }
}

/** The earliest end of the task's attempts, those running and one killed at this moment. */
function othersEndAt({ killed, running }: Known, now: number): number {
  let first = killed.at === now ? killed.wouldEndAt : Number.POSITIVE_INFINITY;
  for (const { endsAt } of running) first = Math.min(first, endsAt);
  return first;
}
