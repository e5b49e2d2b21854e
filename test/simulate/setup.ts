import { pull, type Setup } from "../../src/core/index.ts";
import { SETUP_DEFAULTS } from "../../src/core/setup.ts";
import { CAPABILITIES } from "../../src/model/cluster.ts";
import type { View } from "../../src/model/view.ts";
import { parseDiscipline } from "../../src/policy/discipline.ts";
import { type Discipline, use } from "../../src/policy/policy.ts";
import { capOf } from "../../src/policy/speculation/late.ts";
import { testSharing } from "../golden/policies/sharing.ts";
import { chaosData, chaosSpeculation } from "./chaos.ts";
import type { Promises } from "./invariants.ts";
import type { Plan } from "./plan.ts";
import { twins } from "./twins.ts";

export function setupOf(plan: Plan): Setup {
  return {
    ...SETUP_DEFAULTS,
    seed: plan.seed,
    slotKinds: plan.slotKinds,
    racks: plan.racks,
    capabilities: CAPABILITIES.filter((one) => plan.offersSlots || one !== "slot-offers"),
    statisticsEvery: plan.statisticsEvery,
    askAgainMs: plan.askAgainMs,
    attemptsMax: plan.attemptsMax,
    discipline: disciplineOf(plan),
  };
}

function disciplineOf(plan: Plan): Discipline {
  const named = parseDiscipline(plan.discipline, plan.sets);
  const params = { chance: 0.1, until: plan.calmFrom };
  const sharing = use(testSharing, { nodeMs: 4_000, rackMs: 4_000, jobsMax: 2, farMax: 1 });
  const { speculation } = named;
  const pulled = pull(speculation.policy, { tickMs: 5_000, placement: plan.seed % 2 === 0 });
  return {
    ...named,
    ...(plan.offersSlots ? {} : { speculation: { ...speculation, policy: pulled } }),
    ...(plan.seats.includes("chaos") ? { speculation: use(chaosSpeculation, params) } : {}),
    ...(plan.seats.includes("twins") ? { speculation: use(twins) } : {}),
    ...(plan.seats.includes("protection") ? { data: [use(chaosData, params)] } : {}),
    ...(plan.seats.includes("sharing") ? { sharing } : {}),
  };
}

/** What the discipline of the plan promises. */
export function promisesOf(
  { seats, discipline, offersSlots }: Plan,
  setup: Setup,
  view: View,
): Omit<Promises, "explains"> {
  if (!offersSlots) return {};
  const isPlain = discipline.includes("fifo-plain") && !seats.includes("sharing");
  // It leaves slots free on purpose: a failed task waits for a node with its data.
  const waitsForData = setup.discipline.order.policy.name === "local-failed-first";
  const { policy, params } = setup.discipline.speculation;
  const speculativeCap = "speculativeCap" in params ? Number(params.speculativeCap) : 1;
  return {
    ...(policy.name === "late"
      ? { speculativeMax: (kind) => capOf({ speculativeCap, slots: view.slots(kind) }) }
      : {}),
    ...(policy.name === "none" ? { speculativeMax: () => 0 } : {}),
    workConserving: isPlain && !waitsForData && !seats.includes("protection"),
    // Mantri: the fastest, the second fastest, and one that has just started.
    ...(seats.includes("chaos") ? {} : { besideMax: policy.name === "mantri" ? 3 : 2 }),
  };
}
