import { replay } from "../../src/core/journal/index.ts";
import { cutPlan } from "./cuts.ts";
import { planOf } from "./plans.ts";
import { World } from "./world.ts";

/** A world broke an invariant, or never ended. */
export class BrokenWorld extends Error {
  override readonly name = "BrokenWorld";
  /** The broken invariant, without its place. */
  readonly problem: string;
  /** The journal up to the step that broke the invariant. */
  readonly journal: readonly string[];

  constructor(problem: string, where: string, journal: readonly string[], cause: unknown) {
    super(`${problem}\n${where}`, { cause });
    this.problem = problem;
    this.journal = journal;
  }
}

export interface Ran {
  readonly steps: number;
}

/**
 * Runs a world to its end. No journal is kept, since the seed reproduces it: a world that breaks
 * runs again with a journal. A replayed world has its journal replayed to the byte.
 */
export function runWorld(
  seed: number,
  { cuts = [], isReplayed = false }: { cuts?: readonly string[]; isReplayed?: boolean } = {},
): Ran {
  let world: World | undefined;
  try {
    world = new World(cutPlan(planOf(seed), cuts), { keepsJournal: isReplayed });
    world.run();
  } catch (error) {
    throw broken(seed, cuts, { world, error });
  }
  if (!isReplayed) return world;
  const { problem, cause } = differenceOf(world);
  if (problem === undefined) return world;
  throw new BrokenWorld(problem, `world ${seed}, replayed`, world.journal, cause);
}

/** The result of replaying the world's journal; no problem if the journal is the same. */
function differenceOf(world: World): { readonly problem?: string; readonly cause?: unknown } {
  try {
    const replayed = replay(world.journal, () => world.setup.discipline);
    if (replayed.kind === "same" && replayed.steps === world.steps) return {};
    return { problem: `the journal is replayed with a difference: ${JSON.stringify(replayed)}` };
  } catch (cause) {
    return { problem: `the journal cannot be replayed: ${messageOf(cause)}`, cause };
  }
}

const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

interface Failure {
  /** Undefined if the world broke while it was set up. */
  readonly world: World | undefined;
  readonly error: unknown;
}

function broken(seed: number, cuts: readonly string[], { world, error }: Failure): BrokenWorld {
  const problem = messageOf(error);
  if (world === undefined) return new BrokenWorld(problem, `world ${seed}, set up`, [], error);
  const where = `at ${world.clock.now} ms, step ${world.steps} of world ${seed}`;
  const again = new World(cutPlan(planOf(seed), cuts));
  try {
    again.run();
  } catch {
    return new BrokenWorld(problem, where, again.journal, error);
  }
  return new BrokenWorld(problem, `${where}, and not when it ran again`, again.journal, error);
}
