import type { SpeculationPolicy } from "../policy.ts";

/** No task runs twice beside itself. */
export const none: SpeculationPolicy<object, null> = {
  name: "none",
  source: "the baseline of every paper",
  params: {},
  needs: [],
  remember: () => null,
};
