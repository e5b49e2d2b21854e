import type { LineOrder } from "./answer.ts";
import { type Contestant, type Measured, measure } from "./contestant.ts";

/** Several programs that do the same work, and the pairs to compare. */
export interface Contest extends Contenders {
  readonly name: string;
}

export interface Contenders {
  readonly order: LineOrder;
  readonly contestants: readonly Contestant[];
  readonly comparisons: readonly Comparison[];
  /** The number of rounds that count, where the contest fixes it. */
  readonly rounds?: number;
  /** Whether to measure the memory of each run. */
  readonly memory?: boolean;
  /** Whether the contestants' works differ, and so their answers. */
  readonly unlike?: boolean;
}

/** Contestants by name. */
export interface Comparison {
  readonly work: string;
  readonly ours: string;
  /** Undefined: there is no peer, and the goal is in seconds. */
  readonly peer?: string;
  /** The largest acceptable ratio; undefined if there is no goal. */
  readonly goal?: number;
}

/** The largest acceptable ratio of a tree to the one that it came from. */
const AGAINST_GOAL = 1.05;

/** Our contestants of the contest, each against the same run by another checkout. */
export function againstTree(contest: Contest, root: string): Contest {
  const pairs = contest.contestants.flatMap((own) =>
    own.inTree === undefined ? [] : [{ own, other: own.inTree(root) }],
  );
  return {
    ...contest,
    contestants: pairs.flatMap(({ own, other }) => [own, other]),
    comparisons: pairs.map(({ own, other }) => ({
      work: contest.comparisons.find(({ ours }) => ours === own.name)?.work ?? own.name,
      ours: own.name,
      peer: other.name,
      goal: AGAINST_GOAL,
    })),
  };
}

export interface Held {
  /** By the contestant's name, in the order of rounds; failed contestants are missing. */
  readonly runs: ReadonlyMap<string, readonly Measured[]>;
  /** The failed contestants, and those with a different answer. */
  readonly trouble: readonly string[];
}

export interface Holding {
  readonly rounds: number;
  tell(line: string): void;
}

/**
 * A warm-up round, then the rounds that count. The contestants run in turn, and each one is first
 * in turn. A contestant that fails drops out; the others continue.
 */
export async function hold(contest: Contest, { rounds, tell }: Holding): Promise<Held> {
  let present = presentOf(contest, tell);
  const runs = new Map(present.map(({ name }) => [name, [] as Measured[]]));
  const trouble = new Set<string>();
  for (let round = 0; round <= rounds; round++) {
    const told: string[] = [];
    for (const contestant of turned(present, round)) {
      const one = await tryMeasure(contestant, contest);
      if (typeof one === "string") {
        trouble.add(`${contest.name}: ${one}`);
        runs.delete(contestant.name);
        present = present.filter((other) => other !== contestant);
        continue;
      }
      runs.get(contestant.name)?.push(one);
      told.push(`${contestant.name} ${one.seconds.toFixed(2)} s`);
    }
    const name = round === 0 ? "warm-up" : `run ${round} of ${rounds}`;
    tell(`${contest.name}: ${name}: ${told.join(", ")}`);
  }
  if (contest.unlike !== true) for (const one of differences(contest, runs)) trouble.add(one);
  // The first round only warmed the caches.
  for (const measured of runs.values()) measured.shift();
  return { runs, trouble: [...trouble] };
}

function presentOf(contest: Contest, tell: (line: string) => void): readonly Contestant[] {
  return contest.contestants.filter((contestant) => {
    const absence = contestant.absence();
    if (absence !== undefined) tell(`${contest.name}: without ${contestant.name}: ${absence}`);
    return absence === undefined;
  });
}

const turned = <T>(all: readonly T[], by: number): readonly T[] => [
  ...all.slice(by % all.length),
  ...all.slice(0, by % all.length),
];

async function tryMeasure(contestant: Contestant, contest: Contest): Promise<Measured | string> {
  try {
    return await measure(contestant, { order: contest.order, memory: contest.memory ?? false });
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function differences(
  { name }: Contest,
  runs: ReadonlyMap<string, readonly Measured[]>,
): readonly string[] {
  const [first, ...others] = [...runs].flatMap(([by, measured]) =>
    measured.map(({ answer }) => ({ by, ...answer })),
  );
  return others
    .filter(({ checksum }) => checksum !== first?.checksum)
    .map(({ by, bytes }) => {
      const other = `${first?.by}'s ${first?.bytes} bytes`;
      return `${name}: the ${bytes} bytes that ${by} gave are not ${other}`;
    });
}
