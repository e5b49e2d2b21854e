import { describe, test } from "vitest";
import { REGISTRY } from "../../src/policy/registry.ts";
import { planWorld } from "../../src/testing/plan.ts";
import { World } from "../simulate/world.ts";
import { eagerSettings } from "./eager.ts";

/** The seats that suit the speculation policy. */
function homeOf(speculation: string): string {
  const own = REGISTRY.disciplines.find((one) => one.speculation === speculation);
  return own === undefined ? `none,speculation=${speculation}` : own.name;
}

const SPECULATIONS = REGISTRY.speculation.map(({ policy }) => policy.name);

// Worlds in which nodes fall silent and die, outputs are lost, attempts fail and are refused; after
// every step all invariants are checked.
describe.each(REGISTRY.sharing.map(({ policy }) => policy.name))("under %s", (sharing) => {
  test.each(SPECULATIONS)("%s keeps all invariants", (speculation) => {
    const discipline = `${homeOf(speculation)},sharing=${sharing}`;
    for (const seed of [11, 12]) {
      const plan = planWorld(seed);
      const sets = eagerSettings(discipline);
      new World({ ...plan, discipline, sets, seats: [], offersSlots: true }).run();
    }
  });
});
