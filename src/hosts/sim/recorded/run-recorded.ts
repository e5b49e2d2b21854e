import { assert, defined } from "../../../base/assert.ts";
import { sum } from "../../../base/stats.ts";
import { AttemptFold, type PastAttempt } from "../../../history/attempts.ts";
import type { JobOutcome } from "../../../model/action.ts";
import type { AttemptKind } from "../../../model/attempt.ts";
import type { AttemptEnd, Fact } from "../../../model/fact.ts";
import { type NodeId, slotKind } from "../../../model/ids.ts";
import type { NodeOptions } from "../cluster.ts";
import type { ClusterSpec } from "../scenario.ts";
import { type SimulationOptions, simulateWorkload } from "../simulate-once.ts";
import { mostAtOnce, SlotLife, type SlotSpan } from "../slot-life.ts";
import type { RecordedJob, RecordedNode } from "./recorded-job.ts";
import { RecordedWorkload } from "./recorded-workload.ts";
import { launchedAsRecorded } from "./unlaunched.ts";

export interface RunRecordedOptions
  extends Omit<SimulationOptions, "onFact" | "jobFacts">,
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

/** An attempt of a simulated run. Times count from the job's submission. */
export interface RunAttempt {
  /** The index of the phase, and of the task within it. */
  readonly phase: number;
  readonly task: number;
  readonly as: AttemptKind;
  readonly node: string;
  /** When the attempt took its slot. */
  readonly launchedAtMs: number;
  /** Undefined if the attempt ended before it began. */
  readonly startedAtMs: number | undefined;
  /** When the attempt ended or, if lost, when its node was last heard. */
  readonly endedAtMs: number;
  readonly ended: Exclude<AttemptEnd["how"], "refused">;
}

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
  const discipline = launchedAsRecorded(job, rest.discipline);
  checkNames(job);
  const log = new RunLog();
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
    { ...rest, discipline, seed, onFact: (fact) => log.apply(fact), jobFacts: true },
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

/** The attempts of a run of one job that have ended. */
class RunLog {
  readonly #fold = new AttemptFold();
  readonly #nodes = new Map<NodeId, string>();
  readonly #past: PastAttempt[] = [];

  /** In the order of their launches; without attempts that have not ended. */
  get attempts(): readonly RunAttempt[] {
    return this.#past
      .toSorted((a, b) => (a.of.id < b.of.id ? -1 : 1))
      .flatMap(({ of, startedAt, heardAt, end }) => {
        if (end === undefined || end.how === "refused") return [];
        const { task, as, node, launchedAt } = of;
        return {
          phase: task.phase,
          task: task.index,
          as,
          node: defined(this.#nodes.get(node), "a node that has joined"),
          launchedAtMs: launchedAt,
          startedAtMs: startedAt,
          endedAtMs: heardAt,
          ended: end.how,
        };
      });
  }

  apply(fact: Fact): void {
    if (fact.kind === "node-joined") this.#nodes.set(fact.node.id, fact.node.name);
    const past = this.#fold.apply(fact);
    if (past !== undefined) this.#past.push(past);
  }
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
