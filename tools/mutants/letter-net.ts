import { linesOf } from "./letter-program.ts";
import type { Mutant } from "./mutant.ts";
import { placeOf, type Reach } from "./reach.ts";
import type { Tree } from "./tree.ts";
import type { Verdict } from "./verdict.ts";

/** The most worlds that are played for one mutant. */
const WORLDS_MAX = 300;
/** An act that is missed must have happened so often where nothing was changed. */
const ACTS_MIN = 5;

/** Plays the worlds that run through the changed place, of each policy in turn. */
export async function letterNet(tree: Tree, mutant: Mutant, reach: Reach): Promise<Verdict> {
  const numbers = inTurn(reach, reach.at[placeOf(mutant)] ?? []).slice(0, WORLDS_MAX);
  if (numbers.length === 0) return { how: "not reached" };
  const played = numbers.flatMap((number) => reach.worlds[number] ?? []);
  const acts = new Set<string>();
  let fault: string | undefined;
  let count = 0;
  const worlds = played.map(({ world }) => world);
  const { ended, code } = await linesOf(tree, { worlds }, (line) => {
    count++;
    fault ??= line.fault;
    for (const act of actsOf(line)) if (act.count > 0) acts.add(act.name);
  });
  if (fault !== undefined) return { how: "killed", by: fault };
  if (ended === "hung") return { how: "killed", by: `world ${worlds[count]?.join(" ")} hangs` };
  if (code !== 0) return { how: "killed", by: `world ${worlds[count]?.join(" ")} crashes` };
  const missed = missedOf(played, acts);
  return missed === undefined
    ? { how: "survived", by: `${count} worlds` }
    : { how: "killed", by: `never: ${missed}` };
}

function inTurn({ worlds }: Reach, numbers: readonly number[]): readonly number[] {
  const places = new Map<string, number>();
  const turns = numbers.map((number) => {
    const policy = worlds[number]?.world[0] ?? "";
    const turn = places.get(policy) ?? 0;
    places.set(policy, turn + 1);
    return { number, turn };
  });
  return turns.sort((a, b) => a.turn - b.turn || a.number - b.number).map(({ number }) => number);
}

type Played = Reach["worlds"][number];

const actsOf = ({ acts, world }: Played): readonly { name: string; count: number }[] =>
  acts.map(([act, count]) => ({ name: `${world[0]}: ${act}`, count }));

/** `npm run letter` fails too if a rule never acts. */
function missedOf(played: readonly Played[], acts: ReadonlySet<string>): string | undefined {
  const usual = new Map<string, number>();
  for (const { count, name } of played.flatMap(actsOf)) {
    usual.set(name, (usual.get(name) ?? 0) + count);
  }
  return [...usual].find(([name, count]) => count >= ACTS_MIN && !acts.has(name))?.[0];
}
