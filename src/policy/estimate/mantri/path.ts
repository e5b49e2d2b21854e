import type { LinkSample } from "../../../model/event.ts";
import type { RackId } from "../../../model/ids.ts";

/** A task that reads partitions, seen from a rack on which it might run. */
export interface Path {
  /** The task's input on each rack, in bytes. */
  readonly byRack: ReadonlyMap<RackId, number>;
  readonly rack: RackId;
  /** The mean time of a task with that much input, in ms. */
  readonly meanMs: number;
  readonly racks: readonly RackId[];
  readonly links: (rack: RackId) => LinkSample | undefined;
}

/** Even in the best place a task has something to do. */
const FACTOR_MIN = 0.1;

/**
 * How many times as long the task takes on this rack as on an average one, since all input from
 * other racks comes over this rack's downlink and the others' uplinks. Only the transfer differs
 * between racks; the rest of the mean stays. 1 where a link is down or was never sampled. COST:
 * O(racks).
 */
export function pathFactor(path: Path): number {
  const here = transferMs(path, path.rack);
  if (here === undefined) return 1;
  let sum = 0;
  for (const rack of path.racks) {
    const there = transferMs(path, rack);
    if (there === undefined) return 1;
    sum += there;
  }
  const meanTransferMs = sum / path.racks.length;
  return Math.max(FACTOR_MIN, 1 + (here - meanTransferMs) / path.meanMs);
}

/** The time over the slowest link needed, each link taken alone. */
function transferMs({ byRack, links }: Path, to: RackId): number | undefined {
  let comingIn = 0;
  let slowestMs = 0;
  for (const [rack, bytes] of byRack) {
    if (rack === to || bytes === 0) continue;
    const up = links(rack)?.upBytesPerMs ?? 0;
    if (up <= 0) return undefined;
    comingIn += bytes;
    slowestMs = Math.max(slowestMs, bytes / up);
  }
  const down = links(to)?.downBytesPerMs ?? 0;
  return down <= 0 ? undefined : Math.max(slowestMs, comingIn / down);
}
