import type { SpeculationPolicy } from "../policy.ts";

/** No task ever has a copy. */
export const none: SpeculationPolicy<object, null> = {
  name: "none",
  source: "the baseline of every paper",
  params: {},
  needs: [],
  remember: () => null,
};
