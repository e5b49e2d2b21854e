/** The result of one world. */
export interface Judged {
  /** The compared decisions, by their kind. */
  readonly compared: ReadonlyMap<string, number>;
  /** A world ends at its first difference. */
  readonly difference: Difference | undefined;
}

export interface Difference {
  readonly referee: string;
  readonly seed: number;
  readonly at: number;
  readonly where: string;
  readonly expected: string;
  readonly found: string;
}

/** A program, written from a paper, that judges whole worlds in which several of its parts act. */
export interface Referee {
  readonly name: string;
  /** What it compares; each kind must occur in the worlds, and no other. */
  readonly kinds: readonly string[];
  judge(seed: number): Judged;
}

export const differenceText = (d: Difference): string =>
  `${d.referee}, seed ${d.seed}, at ${d.at} ms, ${d.where}: ` +
  `expected ${d.expected || "nothing"}, found ${d.found || "nothing"}`;

/** The result of several worlds. */
export interface JudgedWorlds {
  readonly referee: string;
  readonly worlds: number;
  /** By kind; each of the referee's kinds is there. */
  readonly compared: ReadonlyMap<string, number>;
  readonly differences: readonly Difference[];
}

export function judgeWorlds(referee: Referee, from: number, worlds: number): JudgedWorlds {
  const compared = new Map(referee.kinds.map((kind) => [kind, 0]));
  const differences: Difference[] = [];
  for (let seed = from; seed < from + worlds; seed++) {
    const judged = referee.judge(seed);
    for (const [kind, count] of judged.compared) {
      const before = compared.get(kind);
      if (before === undefined) throw new Error(`${referee.name} does not list "${kind}"`);
      compared.set(kind, before + count);
    }
    if (judged.difference !== undefined) differences.push(judged.difference);
  }
  return { referee: referee.name, worlds, compared, differences };
}

/** What is wrong with the result, a line each. */
export const faultsOf = ({ referee, worlds, compared, differences }: JudgedWorlds): string[] => [
  ...differences.map(differenceText),
  ...[...compared]
    .filter(([, count]) => count === 0)
    .map(([kind]) => `${referee}: no "${kind}" occurred in ${worlds} worlds`),
];

/** Counts by kind. */
export class Counts {
  readonly counts = new Map<string, number>();

  add(kind: string, by = 1): void {
    this.counts.set(kind, (this.counts.get(kind) ?? 0) + by);
  }
}
