import { assert } from "../../../base/assert.ts";
import { sum } from "../../../base/stats.ts";
import type { JobOutcome } from "../../../model/action.ts";
import { slotKind } from "../../../model/ids.ts";
import type { NodeOptions } from "../cluster.ts";
import type { ClusterSpec } from "../scenario.ts";
import { type SimulationOptions, simulateWorkload } from "../simulate-once.ts";
import { mostAtOnce, SlotLife, type SlotSpan } from "../slot-life.ts";
import { AttemptLog, type RunAttempt } from "./attempt-log.ts";
import type { RecordedJob, RecordedNode } from "./recorded-job.ts";
import { RecordedWorkload } from "./recorded-workload.ts";

export interface RunRecordedOptions
  extends Omit<SimulationOptions, "onFact">,
    Pick<NodeOptions, "nodeOrder"> {
  /** Differences from a cluster that reports at once and asks about idle slots each second. */
  readonly timing?: Partial<ClusterTiming>;
}

type ClusterTiming = Pick<
  ClusterSpec,
  | "heartbeatMs"
  | "outOfBandHeartbeat"
  | "reportEveryMs"
  | "statisticsEveryMs"
  | "askAgainMs"
  | "attemptsMax"
>;

const AT_ONCE: ClusterTiming = {
  heartbeatMs: 0,
  outOfBandHeartbeat: false,
  reportEveryMs: 0,
  statisticsEveryMs: 0,
  askAgainMs: 1_000,
  attemptsMax: 4,
};

export interface RecordedRun {
  /** unfinished: nothing could happen any more, and the job had not ended. */
  readonly outcome: JobOutcome | "unfinished";
  /** From the job's submission to its end; Infinity if it never ended. */
  readonly responseMs: number;
  /** In the order of their launches. */
  readonly attempts: readonly RunAttempt[];
  /** The number of speculative attempts, and of those that succeeded. */
  readonly copies: number;
  readonly wins: number;
  /** The slot time of all attempts, and of the killed attempts. */
  readonly slotMs: number;
  readonly wastedMs: number;
}

/** Runs a recorded job once: the same seed and discipline give the same run. */
export function runRecorded(job: RecordedJob, options: RunRecordedOptions): RecordedRun {
  const { nodeOrder, seed, timing, ...rest } = options;
  checkNames(job);
  const log = new AttemptLog();
  const { jobs } = simulateWorkload(
    {
      cluster: clusterOf(job, { ...AT_ONCE, ...timing }),
      workload: (nodes) =>
        new RecordedWorkload(job, {
          nodes: new Map(nodes.map(({ node }) => [node.name, node.id])),
          seed,
        }),
      faults: job.faults ?? [],
      lives: livesOf(job),
      nodeOrder,
    },
    { ...rest, seed, onFact: (fact) => log.apply(fact) },
  );
  const { attempts } = log;
  const copies = attempts.filter(({ as }) => as === "speculative");
  const slotMsOf = (some: readonly RunAttempt[]): number =>
    sum(some.map(({ endedAtMs, launchedAtMs }) => endedAtMs - launchedAtMs));
  const [ended] = jobs;
  const tailMs = ended?.outcome === "succeeded" ? (job.tailMs ?? 0) : 0;
  return {
    outcome: ended?.outcome ?? "unfinished",
    responseMs: (ended?.responseMs ?? Number.POSITIVE_INFINITY) + tailMs,
    attempts,
    copies: copies.length,
    wins: copies.filter((copy) => copy.ended === "succeeded").length,
    slotMs: slotMsOf(attempts),
    wastedMs: slotMsOf(attempts.filter((attempt) => attempt.ended === "killed")),
  };
}

function checkNames({ nodes, phases, slotKinds }: RecordedJob): void {
  const isUnique = (names: readonly string[]) => new Set(names).size === names.length;
  assert(isUnique(nodes.map(({ name }) => name)), "each node of a recorded job has its own name");
  assert(isUnique(phases.map(({ name }) => name)), "each phase of a recorded job has its own name");
  const kinds = [...nodes.flatMap(({ slots }) => slots.map(({ kind }) => kind))];
  kinds.push(...phases.flatMap(({ slots }) => slots));
  assert(
    kinds.every((kind) => slotKinds.includes(kind)),
    "slots and phases of a recorded job have its kinds of slot",
  );
}

const ONLY_RACK = "rack";

function clusterOf(job: RecordedJob, timing: ClusterTiming): ClusterSpec {
  const racks = new Set(job.nodes.map(({ rack = ONLY_RACK }) => rack));
  return {
    ...timing,
    slotKinds: job.slotKinds,
    racks: [...racks],
    nodes: job.nodes.map((node) => {
      const spans = spansOf(job, node);
      const slots = job.slotKinds.map((kind, index) => [kind, mostAtOnce(spans, slotKind(index))]);
      return {
        name: node.name,
        count: 1,
        factor: node.factor ?? 1,
        slots: Object.fromEntries(slots),
        rack: node.rack ?? ONLY_RACK,
        vmsPerHost: 1,
      };
    }),
    hosts: {},
    rackUpBytesPerMs: Number.POSITIVE_INFINITY,
    rackDownBytesPerMs: Number.POSITIVE_INFINITY,
    linkSampleMs: 0,
    shareEveryMs: 0,
  };
}

/** The slot lives of nodes whose slots come or go. */
function livesOf(job: RecordedJob): ReadonlyMap<string, SlotLife> {
  const lives = job.nodes.flatMap((node): [string, SlotLife][] => {
    const spans = spansOf(job, node);
    const stay = spans.every(({ fromMs, untilMs }) => fromMs === 0 && untilMs === Infinity);
    return stay ? [] : [[node.name, new SlotLife(spans)]];
  });
  return new Map(lives);
}

function spansOf({ slotKinds }: RecordedJob, { slots }: RecordedNode): readonly SlotSpan[] {
  return slots.map(({ kind, count, fromMs = 0, untilMs = Number.POSITIVE_INFINITY }) => {
    return { kind: slotKind(slotKinds.indexOf(kind)), count, fromMs, untilMs };
  });
}
