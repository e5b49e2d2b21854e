import type { Capability } from "../model/cluster.ts";
import type { Policy, Used } from "../policy/policy.ts";
import type { Setup } from "./state/setup.ts";

/** A capability that a policy would use but can do without, and that this host lacks. */
export interface UnmetWant {
  readonly policy: string;
  readonly capability: Capability;
}

/**
 * For the host to show to its user, one line each. A missing capability that a policy needs is
 * refused at start-up.
 */
export function unmetWants({ discipline, capabilities }: Setup): readonly UnmetWant[] {
  const { sharing, order, speculation, data, estimator, detection } = discipline;
  const used: readonly Used<Policy<object, unknown>>[] = [
    sharing,
    order,
    speculation,
    ...data,
    estimator,
    detection,
  ];
  return used.flatMap(({ policy }) => {
    const unmet = (policy.wants ?? []).filter((want) => !capabilities.includes(want));
    return unmet.map((capability) => ({ policy: policy.name, capability }));
  });
}
