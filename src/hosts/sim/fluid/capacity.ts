import { assert, defined } from "../../../base/assert.ts";

/**
 * The capacity of a resource, in units per millisecond: a number, or a function of its active
 * streams given as rising points, interpolated between them and flat beyond them. A disk's rate
 * rises with the streams that keep it busy, and falls again when its arm has to move between too
 * many. A capacity may also be a function, for shares of what others use.
 */
export type Capacity = number | readonly CapacityPoint[] | (() => number);

export interface CapacityPoint {
  readonly streams: number;
  readonly perMs: number;
}

export function capacityAt(capacity: Capacity, streams: number): number {
  if (typeof capacity === "number") return capacity;
  if (typeof capacity === "function") return capacity();
  assert(capacity.length > 0, "a capacity has at least one point");
  let before = defined(capacity[0], "a first point");
  for (const point of capacity) {
    if (point.streams >= streams) return between(before, point, streams);
    before = point;
  }
  return before.perMs;
}

function between(low: CapacityPoint, high: CapacityPoint, streams: number): number {
  if (high.streams === low.streams || streams <= low.streams) return low.perMs;
  const share = (streams - low.streams) / (high.streams - low.streams);
  return low.perMs + share * (high.perMs - low.perMs);
}
