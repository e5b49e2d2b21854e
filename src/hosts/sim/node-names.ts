import type { NodeGroup } from "./scenario.ts";

/** slow-0, slow-1, ...; a group of one node bears its name alone. */
export function nodeNames(groups: readonly NodeGroup[]): string[] {
  return groups.flatMap(({ name, count }) =>
    count === 1 ? [name] : Array.from({ length: count }, (_, i) => `${name}-${i}`),
  );
}
