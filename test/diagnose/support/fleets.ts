import type { JobDigest } from "../../../src/fleet/digest.ts";
import { Dice } from "./dice.ts";

/** A month of a cluster: each job runs on some nodes, with one slot each. */
export interface MonthOfNodes {
  readonly seed: number;
  readonly nodes: number;
  readonly jobs: number;
  readonly nodesOfJob: number;
  readonly tasksPerNode: number;
  /** So many nodes, the first ones, are slow in three of their jobs, each by this factor. */
  readonly slow: number;
  readonly factor: number;
  /** The share of a node's turns in which all its attempts take twice as long. */
  readonly bursts: number;
}

const SLOW_JOBS = 3;
const TAIL = 0.03;

/**
 * Digests of jobs whose tasks run one after the other on the first free slot: a slow node runs few
 * of them. Most attempts take a unit of time, 15 % more or less; three of a hundred 1.5 to 3.5
 * times as long.
 */
export function monthOf(month: MonthOfNodes): readonly JobDigest[] {
  const dice = new Dice(month.seed);
  const members = membersOf(month, dice);
  const slowTurns = new Map(
    Array.from({ length: month.slow }, (_, n) => {
      const own = members.flatMap((nodes, job) => (nodes.includes(n) ? [job] : []));
      return [n, new Set(shuffled(own, dice).slice(0, SLOW_JOBS))];
    }),
  );
  return members.map((nodes, job) => {
    const factors = nodes.map((node) => {
      const slow = slowTurns.get(node)?.has(job) === true ? month.factor : 1;
      return slow * (dice.chance(month.bursts) ? 2 : 1);
    });
    return digestOf(job, nodes, tookBy(factors, month.tasksPerNode, dice));
  });
}

export const nameOf = (node: number): string => `n${node}`;

/** Each node runs in the same number of jobs; which, chance says. */
function membersOf({ nodes, jobs, nodesOfJob }: MonthOfNodes, dice: Dice): number[][] {
  let deck: number[] = [];
  return Array.from({ length: jobs }, () => {
    const own: number[] = [];
    while (own.length < nodesOfJob) {
      const at = deck.findIndex((node) => !own.includes(node));
      if (at >= 0) own.push(...deck.splice(at, 1));
      else deck = [...deck, ...shuffled([...Array(nodes).keys()], dice)];
    }
    return own;
  });
}

function shuffled<T>(values: readonly T[], dice: Dice): T[] {
  return values
    .map((value) => ({ value, key: dice.next() }))
    .sort((a, b) => a.key - b.key)
    .map(({ value }) => value);
}

/** The times of the attempts of each node. */
function tookBy(factors: readonly number[], tasksPerNode: number, dice: Dice): number[][] {
  const took = factors.map((): number[] => []);
  const free = factors.map(() => 0);
  for (let task = 0; task < factors.length * tasksPerNode; task++) {
    const first = free.indexOf(Math.min(...free));
    const tail = dice.chance(TAIL) ? dice.between(1.5, 3.5) : 1;
    const time = Math.exp(0.15 * dice.normal()) * tail * (factors[first] ?? 1);
    took[first]?.push(time);
    free[first] = (free[first] ?? 0) + time;
  }
  return took;
}

const middleOf = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

function digestOf(job: number, nodes: readonly number[], took: readonly number[][]): JobDigest {
  const all = took.flat();
  const expected = middleOf(all);
  const late = took.map((own) => own.map((time) => Math.log(time / expected)));
  const sigma = 1.4826 * middleOf(late.flat().map(Math.abs));
  return {
    ...{ id: `job-${job}`, name: "job", outcome: "succeeded", submittedAt: job, isDated: false },
    ...{ responseMs: 1, delayMs: 0, usualMs: 1, slotMs: 1, attempts: all.length, sigma },
    ...{ causes: [], parts: [], failures: [] },
    nodes: nodes.flatMap((node, n) => {
      const lateness = (late[n] ?? []).toSorted((a, b) => a - b);
      if (lateness.length === 0) return [];
      const factor = Math.exp(middleOf(lateness));
      const attempts = lateness.length;
      return [{ node: nameOf(node), attempts, lateness, factor, delayMs: 1, isSlow: false }];
    }),
  };
}
