import { Dice } from "../../diagnose/support/dice.ts";
import { BEATS, drawFluid, fluidCluster } from "./fluid.ts";

/** A job on a simulated cluster, and what goes wrong with it. Drawn from the seed. */
export interface Simulated {
  readonly name: string;
  readonly cluster: object;
  readonly phases: (wrong: Wrong) => readonly object[];
  readonly trouble: Trouble;
}

/** What goes wrong within the job itself. */
export interface Wrong {
  /** The sigma of the sizes of partitions. */
  readonly skew?: number;
  /** How many times longer a few tasks take than their peers, by nature. */
  readonly luck?: number;
  /** Whether all tasks take as long as the typical one. */
  readonly isEven?: true;
  /** Of an attempt. */
  readonly failureProbability?: number;
}

export interface Trouble {
  readonly name: string;
  /** Under which name `why` has its seconds. */
  readonly cause: string;
  readonly wrong?: Wrong;
  /** The job without the trouble, if more changes than that. */
  readonly healed?: Wrong;
  /** Faults of the cluster; `usualMs`: the response of the job without any. */
  readonly faults?: (usualMs: number) => readonly object[];
}

/** With its trouble, if `usualMs` is known: how long the job takes without it. */
export function scenarioOf(
  { name, cluster, phases, trouble }: Simulated,
  usualMs?: number,
): object {
  const { wrong = {}, healed = {}, faults } = trouble;
  const isWrong = usualMs !== undefined;
  return {
    name,
    about: "a generated world",
    cluster,
    jobs: [{ name: "job", phases: phases(isWrong ? wrong : healed) }],
    faults: isWrong ? (faults?.(usualMs) ?? []) : [],
    study: { seeds: 1, disciplines: [{ discipline: "none" }] },
  };
}

/** Of two kinds in turn: attempts that share disks, cores and links, and such that only last. */
export function drawSimulated(seed: number): Simulated {
  const dice = new Dice(seed);
  return seed % 2 === 0 ? fluid(seed, dice) : lasting(seed, dice);
}

function fluid(seed: number, dice: Dice): Simulated {
  const drawn = drawFluid(dice);
  const { nodes, slots, map } = drawn;
  const reduceRate = Math.round(dice.between(8_000, 30_000));
  const [maps, reduces] = [dice.whole(5, 9) * nodes * slots, dice.whole(1, 3) * nodes * slots];
  const node = `m-${dice.whole(0, nodes - 1)}`;
  const others = { processes: dice.whole(2, 6) * slots, writers: dice.whole(1, 4) };
  return {
    name: `fluid-${seed}`,
    cluster: fluidCluster(drawn),
    phases: ({ skew = 0.001, failureProbability = 0 }) => [
      { name: "map", slots: ["map"], tasks: maps, work: map, failureProbability },
      {
        name: "reduce",
        slots: ["reduce"],
        tasks: reduces,
        after: [{ phase: "map" }],
        work: {
          kind: "reduce",
          partitionWeight: { kind: "lognormal", median: 1, sigma: skew },
          cpuBytesPerMs: reduceRate,
        },
        failureProbability,
      },
    ],
    trouble: dice.pick<Trouble>([
      ...ofNodes(node, dice),
      { name: "load", cause: "node", faults: () => [{ kind: "load", at: 0, node, ...others }] },
      { name: "skew", cause: "bytes", wrong: { skew: dice.between(0.4, 0.8) } },
      ...ofAttempts((maps + reduces) / nodes, dice),
    ]),
  };
}

function lasting(seed: number, dice: Dice): Simulated {
  const nodes = dice.whole(5, 12);
  const slots = dice.whole(1, 3);
  const sigma = dice.between(0.03, 0.2);
  const stages = Array.from({ length: dice.whole(2, 4) }, () => ({
    medianMs: Math.round(dice.between(4_000, 20_000)),
    tasks: dice.whole(3, 8) * nodes * slots + dice.whole(0, nodes),
  }));
  const attempts = stages.reduce((sum, { tasks }) => sum + tasks, 0);
  const node = `m-${dice.whole(0, nodes - 1)}`;
  return {
    name: `lasting-${seed}`,
    cluster: { ...BEATS, nodes: [{ name: "m", count: nodes, slots: { map: slots } }] },
    phases: ({ isEven = false, luck = 0, failureProbability = 0 }) =>
      stages.map(({ medianMs, tasks }, n) => ({
        name: `stage-${n}`,
        slots: ["map"],
        tasks,
        ...(n > 0 && { after: [{ phase: `stage-${n - 1}` }] }),
        work: {
          kind: "fixed",
          stages: [
            {
              name: "run",
              share: 0.9,
              stepMs: { kind: "lognormal", median: medianMs, sigma: isEven ? 0.001 : sigma },
            },
            { name: "luck", share: 0.1, stepMs: oneOf(40, luck * medianMs) },
          ],
        },
        failureProbability,
      })),
    trouble: dice.pick<Trouble>([
      ...ofNodes(node, dice),
      {
        name: "luck",
        cause: "unexplained",
        wrong: { luck: dice.between(1.5, 5) },
        // What varies at all is unexplained.
        healed: { isEven: true },
      },
      ...ofAttempts(attempts / nodes, dice),
    ]),
  };
}

/** One of so many draws takes so much longer than the others, which take next to nothing. */
const oneOf = (count: number, ms: number): object => ({
  kind: "choice",
  values: Array.from({ length: count }, (_, n) => (n === 0 ? 1 + ms : 1)),
});

function ofNodes(node: string, dice: Dice): readonly Trouble[] {
  const factor = dice.between(1.8, 4.3);
  const part = dice.between(0.25, 0.6);
  const slow = (at: number): object => ({ kind: "slow", at, node, factor });
  return [
    { name: "slow", cause: "node", faults: () => [slow(0)] },
    { name: "slow later", cause: "node", faults: (ms) => [slow(Math.round(part * ms))] },
  ];
}

/** A job leaves a node after four failures there, which costs more than the failures. */
function ofAttempts(attemptsOfNode: number, dice: Dice): readonly Trouble[] {
  const failureProbability = dice.between(0.2, 0.6) / attemptsOfNode;
  const [part, share] = [dice.between(0.2, 0.8), dice.between(0.3, 0.8)];
  const evict = (at: number): object => ({ kind: "evict", at: Math.round(at), node: "*", share });
  return [
    { name: "failures", cause: "retries", wrong: { failureProbability } },
    { name: "evicted", cause: "retries", faults: (ms) => [evict(part * ms)] },
  ];
}
