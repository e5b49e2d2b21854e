import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Dice } from "../diagnose/support/dice.ts";
import { OF_EACH_ANSWER, OF_MUTANTS } from "./answers.ts";
import { type Answer, ask } from "./broomwagon.ts";
import type { History } from "./histories.ts";
import { MUTATIONS, type Mutated } from "./mutate.ts";
import { STRANGE } from "./strange.ts";
import type { Tally } from "./tally.ts";

export interface Mutations {
  readonly seed: number;
  readonly count: number;
  readonly histories: readonly History[];
  /** Where inputs that fail are kept; absent: nowhere. */
  readonly keptIn?: string;
}

/** Asks about mutated histories; one seed fixes them all. */
export async function tryMutations(
  { seed, count, histories, keptIn }: Mutations,
  tally: Tally,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "broomwagon-evidence-"));
  const known = new Map<History, Answer>();
  const wholeOf = async (history: History): Promise<Answer> => {
    const answer = known.get(history) ?? (await ask(history.path));
    if (!known.has(history)) check(answer, history.path, tally);
    known.set(history, answer);
    return answer;
  };
  /** A history of several jobs may now be answered by another one. */
  const sameJob = async (history: History, { why }: Answer): Promise<Answer> => {
    const whole = await wholeOf(history);
    if (why === undefined || why.job.id === whole.why?.job.id) return whole;
    const own = await ask(history.path, "--job", why.job.id);
    return own.why === undefined ? whole : own;
  };
  try {
    for (let n = 0; n < count; n++) {
      const dice = new Dice(seed * 100_003 + n);
      // Every mutation comes equally often, and every history.
      const mutation = EACH[n % EACH.length];
      const history = anyOf(histories, dice);
      const other = anyOf(histories, dice);
      const mutated = mutation?.apply(history, other, dice);
      if (mutation === undefined || mutated === undefined) continue;
      const name = `${n}-${mutation.name.replaceAll(/[^a-z]+/g, "-")}`;
      const path = write(join(folder, name), mutated);
      const input = `${name} of ${history.path}, beside ${other.path}`;
      const found = await ask(path);
      check(found, input, tally);
      const isBeside = mutated.kind === "directory" && mutated.files.has(BESIDE);
      const mutant = {
        found,
        whole: await sameJob(history, found),
        other: await wholeOf(other),
        isSeen: mutation.isSeen,
        isBeside,
      };
      for (const { name: property, fault } of OF_MUTANTS) {
        tally.add(property, input, fault(mutant));
      }
      if (keptIn !== undefined && tally.shows(input)) write(join(keptIn, name), mutated);
      rmSync(path, { recursive: true });
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const EACH = [...MUTATIONS, ...STRANGE];

/** Every format comes equally often. */
function anyOf(histories: readonly History[], dice: Dice): History {
  const format = dice.pick([...new Set(histories.map((each) => each.format))]);
  return dice.pick(histories.filter((each) => each.format === format));
}

/** The name of a whole history in a directory with damaged ones. */
const BESIDE = "a";

function check(answer: Answer, input: string, tally: Tally): void {
  for (const { name, fault } of OF_EACH_ANSWER) tally.add(name, input, fault(answer));
}

function write(path: string, mutated: Mutated): string {
  if (mutated.kind === "file") {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, mutated.bytes);
    return path;
  }
  mkdirSync(path, { recursive: true });
  for (const [name, bytes] of mutated.files) writeFileSync(join(path, name), bytes);
  return path;
}
