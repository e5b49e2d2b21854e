import { planWorld } from "../../src/testing/plan.ts";
import { World } from "../simulate/world.ts";
import { checkBooks } from "./every-book.ts";

/** Checks the books of random worlds. Returns the number of lost attempts in them. */
export function checkWorlds({ first, count }: { readonly first: number; readonly count: number }) {
  let lost = 0;
  for (let seed = first; seed < first + count; seed += 1) {
    const world = new World(planWorld(seed));
    world.run();
    try {
      lost += checkBooks(world.journal, () => world.setup.discipline);
    } catch (error) {
      throw new Error(`world ${seed}`, { cause: error });
    }
  }
  return lost;
}
