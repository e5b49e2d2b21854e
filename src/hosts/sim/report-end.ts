import { assert, never } from "../../base/assert.ts";
import type { Output } from "../../model/attempt.ts";
import type { ClusterEvent } from "../../model/event.ts";
import type { Instant } from "../../model/ids.ts";
import type { SimAttempt, SimPhase } from "./state.ts";

/** What the scheduler hears of an attempt's end. */
export function reportEnd(attempt: SimAttempt, at: Instant): ClusterEvent {
  const { id, end } = attempt;
  assert(end !== undefined, "only an attempt that has ended is reported");
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
