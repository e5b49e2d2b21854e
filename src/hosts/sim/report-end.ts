import { assert, never } from "../../base/assert.ts";
import type { Output } from "../../model/attempt.ts";
import type { ClusterEvent } from "../../model/event.ts";
import type { SimAttempt } from "./sim-attempt.ts";
import type { SimPhase } from "./workload.ts";
import type { World } from "./world.ts";

/** The scheduler hears of an attempt's end; from then on its slot is free. */
export function reportEnd(world: World, attempt: SimAttempt): ClusterEvent {
  const { id, end, node, slot } = attempt;
  const at = world.now;
  assert(end !== undefined, "only an attempt that has ended is reported");
  world.leave(attempt);
  node.free[slot] = (node.free[slot] ?? 0) + 1;
  switch (end.how) {
    case "succeeded":
      return {
        at,
        kind: "attempt-succeeded",
        attempt: id,
        output: { bytes: end.bytes, records: 0, ...partitions(attempt.phase, end.bytes) },
      };
    case "failed":
      return { at, kind: "attempt-failed", attempt: id, cause: "error" };
    case "killed":
      return { at, kind: "attempt-killed", attempt: id, by: end.by };
    default:
      return never(end);
  }
}

/** What each task of the phase that reads it will read: Mantri §5.2 places them by it. */
function partitions({ readers }: SimPhase, bytes: number): Pick<Output, "byPartition"> {
  const [reader, ...others] = readers;
  if (reader?.work.kind !== "reduce" || others.length > 0) return {};
  return { byPartition: reader.work.shares.map((share) => share * bytes) };
}

/** The scheduler knows already: its node is gone, or was silent when it was to be killed. */
export function dropUnreported(world: World, attempt: SimAttempt): void {
  const { node, slot } = attempt;
  world.leave(attempt);
  node.free[slot] = (node.free[slot] ?? 0) + 1;
}
