/** `rack-1`, `rack-2` and so on. */
export const rackNames = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `rack-${index + 1}`);

/** The rack of a node: nodes are assigned to the racks in turn. */
export const rackOf = (node: number, racks: number): number => node % racks;
