import { SETUP_DEFAULTS, type Setup } from "../core/setup.ts";
import { CAPABILITIES } from "../model/cluster.ts";
import type { View } from "../model/view.ts";
import type { Discipline } from "../policy/policy.ts";
import { capOf } from "../policy/speculation/late.ts";
import type { Promises } from "./invariants.ts";
import type { Plan } from "./plan.ts";

/** The set-up of a planned world. */
export function setupOf(plan: Plan, discipline: Discipline): Setup {
  return {
    ...SETUP_DEFAULTS,
    seed: plan.seed,
    slotKinds: plan.slotKinds,
    racks: plan.racks,
    capabilities: CAPABILITIES.filter((one) => plan.offersSlots || one !== "slot-offers"),
    statisticsEvery: plan.statisticsEvery,
    askAgainMs: plan.askAgainMs,
    attemptsMax: plan.attemptsMax,
    discipline,
  };
}

/** The promises of the plan's discipline. */
export function promisesOf(
  { seats, discipline, offersSlots }: Plan,
  setup: Setup,
  view: View,
): Omit<Promises, "explains"> {
  if (!offersSlots) return {};
  const isPlain = discipline.includes("fifo-plain") && !seats.includes("sharing");
  // These orders leave slots free on purpose: tasks wait for nodes with their data.
  const waiters = ["local-failed-first", "local-preempt", "spark"];
  const waitsForData = waiters.includes(setup.discipline.order.policy.name);
  const { policy, params } = setup.discipline.speculation;
  const { params: ordered } = setup.discipline.order;
  const speculativeCap = "speculativeCap" in params ? Number(params.speculativeCap) : 1;
  return {
    ...(policy.name === "late"
      ? { speculativeMax: (kind) => capOf({ speculativeCap, slots: view.slots(kind) }) }
      : {}),
    ...(policy.name === "none" ? { speculativeMax: () => 0 } : {}),
    ...("yieldsMax" in ordered ? { yieldsMax: Number(ordered.yieldsMax) } : {}),
    workConserving: isPlain && !waitsForData && !seats.includes("protection"),
    // Mantri: the fastest attempt, the second fastest, and one that has just started.
    ...(seats.includes("chaos")
      ? {}
      : { besideMax: policy.name === "mantri" ? 3 : 2, copiesElsewhere: true }),
  };
}
