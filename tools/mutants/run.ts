import { availableParallelism } from "node:os";
import type { Mutant } from "./mutant.ts";
import { ask, isValid, type Known } from "./nets.ts";
import type { Result, Results } from "./results.ts";
import type { Tree } from "./tree.ts";
import type { Net, Verdict } from "./verdict.ts";

export const JOBS = availableParallelism();

/**
 * Asks every net about each mutant, in all trees at once, until `count` mutants with correct types
 * have been asked about. Results that are known are not asked for again.
 */
export async function run(
  mutants: readonly Mutant[],
  of: {
    readonly count: number;
    readonly trees: readonly Tree[];
    readonly known: Known;
    readonly results: Results;
    readonly keepsKilled: boolean;
    readonly onResult: (result: Result, done: number) => void;
  },
): Promise<void> {
  let done = 0;
  let next = 0;
  /** Asked about, or being asked about. */
  let valid = 0;
  const work = async (tree: Tree): Promise<void> => {
    while (valid < of.count) {
      const mutant = mutants[next++];
      if (mutant === undefined) return;
      valid++;
      const known = of.results.find(mutant);
      const result = known ?? (await judge(tree, mutant, of));
      if (known === undefined) of.results.add(result);
      if (result.kind === "not valid") valid--;
      else done++;
      if (known === undefined) of.onResult(result, done);
    }
  };
  // A mutant that turns out to be not valid is replaced by the tree that found it so.
  await Promise.all(of.trees.map(work));
}

async function judge(
  tree: Tree,
  mutant: Mutant,
  {
    keepsKilled,
    known,
    results,
  }: Pick<Parameters<typeof run>[1], "keepsKilled" | "known" | "results">,
): Promise<Result> {
  const from = performance.now();
  const seconds = (): number => Math.round((performance.now() - from) / 1_000);
  const verdictOf = async (net: Net): Promise<Verdict> => {
    const before = keepsKilled ? results.killedBefore(mutant, net) : undefined;
    return before ?? (await ask(net, tree, mutant, known));
  };
  tree.enter(mutant);
  try {
    if (!(await isValid(tree))) return { kind: "not valid", mutant, seconds: seconds() };
    const verdicts = {
      letter: await verdictOf("letter"),
      unit: await verdictOf("unit"),
      golden: await verdictOf("golden"),
    };
    return { kind: "asked", mutant, verdicts, seconds: seconds() };
  } finally {
    tree.leave(mutant);
  }
}
