import { above } from "../figures.ts";

/** PV: the mean time of each type of task that the node has finished (IV-A). */
export interface Vector {
  readonly node: number;
  readonly times: readonly number[];
}

export type Group = readonly Vector[];

/** Algorithm 1. */
export function group(vectors: readonly Vector[]): readonly Group[] {
  // Line 1: "Initial grouping: g_i = {PV_i}".
  let groups: Group[] = vectors.map((vector) => [vector]);
  // Line 7: "for any g_i and g_j", until no two of them are merged any more.
  for (;;) {
    const pair = firstConflict(groups);
    if (pair === undefined) return groups;
    // Line 9: "merge g_i and g_j".
    let merged: Group = pair.flat();
    groups = groups.filter((one) => !pair.includes(one));
    // Line 10: "Merge all other overlapping groups into g_i"; line 11 updates its minimum and
    // maximum, so that further groups may overlap.
    for (;;) {
      const overlapping = groups.filter((one) => overlap(one, merged));
      if (overlapping.length === 0) break;
      groups = groups.filter((one) => !overlapping.includes(one));
      merged = [...merged, ...overlapping.flat()];
    }
    groups.push(merged);
  }
}

function firstConflict(groups: readonly Group[]): readonly [Group, Group] | undefined {
  for (const one of groups) {
    for (const other of groups) {
      if (one !== other && conflict(one, other)) return [one, other];
    }
  }
  return undefined;
}

/** Line 8: "there are a, b: min_i(a) > max_j(a) and min_j(b) > max_i(b)". */
const conflict = (one: Group, other: Group): boolean =>
  isAboveSomewhere(one, other) && isAboveSomewhere(other, one);

const isAboveSomewhere = (one: Group, other: Group): boolean =>
  types(one).some((a) => above(minimum(one, a), maximum(other, a)));

/** "[min, max] overlapping in any dimension". */
const overlap = (one: Group, other: Group): boolean =>
  types(one).some(
    (a) => !above(minimum(one, a), maximum(other, a)) && !above(minimum(other, a), maximum(one, a)),
  );

const types = (one: Group): number[] => [...(one[0]?.times.keys() ?? [])];

/** Lines 3 to 6. */
const minimum = (one: Group, type: number): number =>
  Math.min(...one.map(({ times }) => times[type]!));
const maximum = (one: Group, type: number): number =>
  Math.max(...one.map(({ times }) => times[type]!));
