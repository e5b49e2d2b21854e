import {
  integer,
  nextFloat,
  pick,
  type RandomState,
  randomState,
  shuffle,
} from "../base/random.ts";
import type { Node } from "../model/cluster.ts";
import { instant, jobId, nodeId, phaseId, rackId, slotKind, taskId } from "../model/ids.ts";
import {
  type Edge,
  type Job,
  MAP_STAGES,
  type Phase,
  PRIORITIES,
  REDUCE_STAGES,
} from "../model/job.ts";
import { REGISTRY } from "../policy/registry.ts";

/** A world before it begins, drawn from one seed. */
export interface Plan extends Pace {
  readonly seed: number;
  readonly slotKinds: readonly string[];
  readonly racks: readonly string[];
  readonly nodes: readonly Node[];
  /** How many times longer everything takes on the node. */
  readonly slowness: readonly number[];
  readonly jobs: readonly Job[];
  readonly discipline: string;
  readonly sets: readonly string[];
  /** Seats that this project's own tests give to policies that misbehave on purpose. */
  readonly seats: readonly ("chaos" | "protection" | "sharing" | "twins")[];
  readonly statisticsEvery: number;
  readonly attemptsMax: number;
  readonly heartbeatMs: number;
  /** Whether the host offers slots, or assigns them by itself, as YARN does. */
  readonly offersSlots: boolean;
  readonly progress: "curve" | "reported" | "mixed";
  /** Chances, per attempt or per node and `longestMs`. */
  readonly chances: Chances;
  /** From this time on there is no trouble. */
  readonly calmFrom: number;
}

export interface Chances {
  readonly fail: number;
  readonly refuse: number;
  readonly slowDown: number;
  readonly hostKill: number;
  readonly finishFirst: number;
  readonly silence: number;
  readonly death: number;
  readonly loseOutput: number;
}

export function planWorld(seed: number): Plan {
  const dice = randomState(seed, "plan");
  const racks = Array.from({ length: 1 + integer(dice, 4) }, (_, index) => `rack${index}`);
  const slotKinds = pick(dice, [
    ["map", "reduce"],
    ["map", "reduce"],
    ["container"],
    ["a", "b", "c"],
  ]);
  const nodes = planNodes(dice, slotKinds.length, racks.length);
  const troubledTimes = pick(dice, [0, 1, 5]);
  const discipline = planDiscipline(dice);
  const pace = planPace(seed);
  const calmFrom = troubledTimes * pace.longestMs;
  return {
    seed,
    slotKinds,
    racks,
    nodes,
    slowness: nodes.map(() => pick(dice, [1, 1, 1, 1.5, 3, 10])),
    jobs: planJobs(dice, {
      kinds: slotKinds.length,
      nodes: nodes.length,
      longestMs: pace.longestMs,
    })
      .map(forbidding(seed))
      .map(pace.wholeMs ? asDrawn : arrivingBetween(seed)),
    discipline,
    sets: discipline.includes("detection=")
      ? []
      : [`detection.expiryMs=${pick(dice, [10_000, 60_000])}`],
    seats: shuffle(dice, ["chaos", "protection", "sharing"] as const).slice(
      0,
      pick(dice, [0, 0, 0, 1, 1, 2, 3]),
    ),
    ...pace,
    statisticsEvery: pick(dice, [0, 0, 5_000]),
    attemptsMax: pick(dice, [2, 4, 4]),
    heartbeatMs: pick(dice, [0, 300, 3_000]),
    offersSlots: nextFloat(dice) < 0.9,
    progress: pick(dice, ["curve", "reported", "mixed"] as const),
    chances: planChances(dice, calmFrom > 0),
    calmFrom,
  };
}

/** One job in eight forbids copies of its tasks, and one in eight those of one of its phases. */
function forbidding(seed: number): (job: Job) => Job {
  const dice = randomState(seed, "forbids");
  const ofPhases = randomState(seed, "forbids in phases");
  return (job) => {
    const forbids = integer(dice, 8) === 0;
    const one = integer(ofPhases, 8) === 0 ? integer(ofPhases, job.phases.length) : undefined;
    if (forbids) return { ...job, speculate: false };
    if (one === undefined) return job;
    const phases = job.phases.map((phase, i) =>
      i === one ? { ...phase, speculate: false } : phase,
    );
    return { ...job, phases };
  };
}

const asDrawn = (job: Job): Job => job;

/** Jobs arrive within a millisecond, in their order, where times are no whole milliseconds. */
function arrivingBetween(seed: number): (job: Job) => Job {
  const dice = randomState(seed, "arrivals");
  let last = 0;
  return (job) => {
    last = Math.max(last, job.submittedAt + nextFloat(dice));
    return { ...job, submittedAt: instant(last) };
  };
}

/** A named discipline, with other policies in some of its seats. */
function planDiscipline(dice: RandomState): string {
  const { disciplines, ...seats } = REGISTRY;
  const { name } = pick(dice, disciplines);
  const others = Object.entries(seats).flatMap(([seat, rows]) =>
    rows.length > 0 && nextFloat(dice) < 0.3 ? [`,${seat}=${pick(dice, rows).policy.name}`] : [],
  );
  return `${name}${others.join("")}`;
}

function planChances(dice: RandomState, isTroubled: boolean): Chances {
  const chance = (most: number): number =>
    isTroubled && nextFloat(dice) < 0.6 ? most * nextFloat(dice) : 0;
  return {
    fail: chance(pick(dice, [0.2, 0.2, 0.9])),
    refuse: chance(0.2),
    slowDown: chance(0.5),
    hostKill: chance(0.2),
    finishFirst: chance(0.5),
    silence: chance(0.5),
    death: chance(0.3),
    loseOutput: chance(0.3),
  };
}

function planNodes(dice: RandomState, kinds: number, racks: number): readonly Node[] {
  const count = 1 + integer(dice, 10);
  return Array.from({ length: count }, (_, index) => ({
    id: nodeId(index),
    name: `n${index + 1}`,
    rack: rackId(integer(dice, racks)),
    // The first node has slots of all kinds, so that every job can finish.
    slots: Array.from({ length: kinds }, (_, kind) => ({
      kind: slotKind(kind),
      count: index === 0 ? 1 + integer(dice, 2) : integer(dice, 4),
    })),
  }));
}

interface Sizes {
  readonly kinds: number;
  readonly nodes: number;
  readonly longestMs: number;
}

function planJobs(dice: RandomState, sizes: Sizes): readonly Job[] {
  const next = { phase: 0, task: 0 };
  const count = 1 + integer(dice, 5);
  const arrivals = Array.from(
    { length: count },
    () => integer(dice, 5) * integer(dice, sizes.longestMs),
  );
  // Ids are assigned in the order in which a journal mentions things.
  return arrivals
    .sort((a, b) => a - b)
    .map((at, index): Job => {
      const phases: Phase[] = [];
      for (let left = pick(dice, [1, 2, 2, 2, 3, 5]); left > 0; left--)
        phases.push(planPhase(dice, sizes, index, phases, next));
      return {
        id: jobId(index),
        name: `job${index}`,
        user: pick(dice, ["ann", "bob"]),
        pool: pick(dice, ["red", "blue"]),
        priority: pick(dice, PRIORITIES),
        submittedAt: instant(at),
        phases,
      };
    });
}

function planPhase(
  dice: RandomState,
  { kinds, nodes }: Sizes,
  job: number,
  earlier: readonly Phase[],
  next: { phase: number; task: number },
): Phase {
  const id = phaseId(next.phase++);
  const after = earlier.filter(() => nextFloat(dice) < 0.6).map((phase) => planEdge(dice, phase));
  const isReduce = after.length > 0;
  const home = isReduce ? kinds - 1 : 0;
  const slots = nextFloat(dice) < 0.9 ? [home] : shuffle(dice, [0, kinds - 1]);
  const withReplicas = !isReduce && nextFloat(dice) < 0.7;
  const tasks = Array.from({ length: pick(dice, [0, 1, 2, 3, 5, 8, 13]) }, (_, index) => ({
    id: taskId(next.task++),
    phase: id,
    index,
    ...(isReduce ? {} : { inputBytes: 1_000_000 }),
    replicas: withReplicas
      ? shuffle(
          dice,
          Array.from({ length: nodes }, (_, node) => nodeId(node)),
        ).slice(0, 3)
      : [],
    stages: isReduce ? REDUCE_STAGES : MAP_STAGES,
  }));
  return {
    id,
    name: `phase${earlier.length}`,
    job: jobId(job),
    slots: [...new Set(slots)].map(slotKind),
    after,
    tasks,
  };
}

function planEdge(dice: RandomState, { id }: Phase): Edge {
  const when = pick(dice, ["done", "pipelined", "fraction"] as const);
  return { phase: id, start: when === "fraction" ? { when, of: nextFloat(dice) } : { when } };
}

/** The times of a world's attempts, and the intervals of its core's looks. */
interface Pace {
  readonly askAgainMs: number;
  /** For policies that look at fixed intervals: Spark's. */
  readonly lookEveryMs: number;
  /**
   * The longest time of a task without a slow-down; trouble comes at this interval, and jobs arrive
   * within a few times as long.
   */
  readonly longestMs: number;
  /** Whether all times are whole milliseconds; sums of other times are rounded. */
  readonly wholeMs: boolean;
}

/** One world in this many looks as often as the real systems do: ten times a second in Spark. */
const RESTLESS = 10;

/**
 * Looks without a change find few bugs, and would take most of the time of many worlds, so they are
 * rare in most worlds.
 */
function planPace(seed: number): Pace {
  const dice = randomState(seed, "pace");
  const longestMs = pick(dice, [60_000, 20_000, 5_000, 5_000]);
  const isRestless = integer(dice, RESTLESS) === 0;
  const askAgainMs = pick(dice, isRestless ? [200, 3_000, 10_000] : [2_000, 3_000, 10_000]);
  const lookEveryMs = isRestless ? 100 : pick(dice, [1_000, 3_000]);
  return { longestMs, askAgainMs, lookEveryMs, wholeMs: integer(dice, 2) === 0 };
}
