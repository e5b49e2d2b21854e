import type { NodeGroup } from "./scenario.ts";

/** slow-0, slow-1, ...; a group of one node uses its name without a number. */
export function nodeNames(groups: readonly NodeGroup[]): string[] {
  return groups.flatMap(({ name, count }) =>
    count === 1 ? [name] : Array.from({ length: count }, (_, i) => `${name}-${i}`),
  );
}

/** The names, or of more than six only the first five and the last. */
export function some(names: readonly string[]): string {
  return names.length <= 6
    ? names.join(", ")
    : `${names.slice(0, 5).join(", ")}, ... ${names.at(-1)}`;
}
