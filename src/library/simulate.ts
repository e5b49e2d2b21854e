import { calledBy } from "../run/call-place.ts";
import type { ScenarioSource, SimulateDocument, SimulateOptions } from "./study.ts";

/**
 * Runs a scenario in the simulator: each discipline of its study, over all its seeds, on several
 * threads where that takes long. `scenario` is the path or the file URL of a scenario file, its
 * content, or what `parseScenario` returned. Rejects with an InputError for a mistake in it.
 *
 *     const { rows } = await simulate("scenarios/late-5.4.json", { discipline: "late" });
 *     console.log(rows[0].responseMs.mean);
 */
export const simulate = (
  scenario: ScenarioSource,
  options: SimulateOptions = {},
): Promise<SimulateDocument> =>
  calledBy(simulate, async () => {
    const { study } = await import("./study.ts");
    return study(scenario, options);
  });
