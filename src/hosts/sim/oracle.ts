import { never } from "../../base/assert.ts";
import type { Scenario } from "./scenario.ts";

/**
 * What a run may know or be spared that no scheduler can (Mantri §6.1). ideal-recompute: future
 * knowledge of loss, so that no output is lost on a node that lives. ideal-reduce: the links
 * between racks as they are at this moment, not as they will be.
 */
export const ORACLES = ["ideal-recompute", "ideal-reduce"] as const;
export type Oracle = (typeof ORACLES)[number];

/** The scenario as the oracle has it; deaths of nodes are not foreseen. */
export function withOracle(scenario: Scenario, oracle: Oracle | undefined): Scenario {
  switch (oracle) {
    case undefined:
      return scenario;
    case "ideal-recompute":
      return { ...scenario, faults: scenario.faults.filter(({ kind }) => kind !== "lose-outputs") };
    case "ideal-reduce":
      return { ...scenario, cluster: { ...scenario.cluster, linkSampleMs: 0 } };
    default:
      return never(oracle);
  }
}
