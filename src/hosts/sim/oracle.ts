import { never } from "../../base/assert.ts";
import type { Oracle, Scenario } from "./scenario.ts";

/** The scenario with the oracle's knowledge applied; oracles do not foresee deaths of nodes. */
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
