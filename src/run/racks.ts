/** `rack-1` and on. */
export const rackNames = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `rack-${index + 1}`);

/** Nodes stand in the racks in turn. */
export const rackOf = (node: number, racks: number): number => node % racks;
