import { replay } from "../../src/core/journal/index.ts";
import { type Plan, planWorld } from "../../src/testing/plan.ts";
import { cutPlan } from "./cuts.ts";
import { World } from "./world.ts";

/** A world broke an invariant, or never ended. */
export class BrokenWorld extends Error {
  override readonly name = "BrokenWorld";
  /** What was broken, without the place. */
  readonly problem: string;
  /** Up to the step that broke it. */
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
 * Runs a world to its end. No journal is kept, since a seed is enough to have it: the world that
 * breaks is run once more with one. A replayed world has its journal replayed to the byte.
 */
export function runWorld(
  seed: number,
  { cuts = [], isReplayed = false }: { cuts?: readonly string[]; isReplayed?: boolean } = {},
): Ran {
  const plan = cutPlan(planWorld(seed), cuts);
  const world = new World(plan, { keepsJournal: isReplayed });
  try {
    world.run();
  } catch (error) {
    throw broken(plan, world, error);
  }
  if (!isReplayed) return world;
  const replayed = replay(world.journal, () => world.setup.discipline);
  if (replayed.kind === "same" && replayed.steps === world.steps) return world;
  const problem = `the journal is replayed with a difference: ${JSON.stringify(replayed)}`;
  throw new BrokenWorld(problem, `world ${seed}`, world.journal, undefined);
}

function broken(plan: Plan, first: World, error: unknown): BrokenWorld {
  const problem = error instanceof Error ? error.message : String(error);
  const where = `at ${first.clock.now} ms, step ${first.steps} of world ${plan.seed}`;
  const again = new World(plan);
  try {
    again.run();
  } catch {
    return new BrokenWorld(problem, where, again.journal, error);
  }
  return new BrokenWorld(problem, `${where}, and not when it ran again`, again.journal, error);
}
