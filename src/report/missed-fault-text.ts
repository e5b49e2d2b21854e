import { never } from "../base/assert.ts";
import type { Chance } from "../base/chance.ts";
import type { Fault } from "../model/fault.ts";
import type { MissedFault } from "../model/missed-fault.ts";
import { seconds } from "./quantity.ts";

/**
 * One note for each fault that did not happen, for instance
 * `note: n3 was to be killed at 5.0 s, but the job ended at 0.5 s`.
 */
export function missedFaultNotes(
  missed: readonly MissedFault[],
  endedAtMs: number,
): readonly string[] {
  return [...new Set(missed.map(({ fault }) => fault))].map((fault) => {
    const all = missed.filter((one) => one.fault === fault);
    const planned = plannedText(
      fault,
      all.map(({ target }) => target),
      Math.min(...all.map(({ at }) => at)),
    );
    return `note: ${planned}, but the job ended at ${seconds(endedAtMs)}`;
  });
}

/** Targets that are named before the others are counted. */
const NAMED_MAX = 3;

/** For instance `n3 was to be killed at 5.0 s`. */
export function plannedText(fault: Fault, targets: readonly string[], at: number): string {
  const others = targets.length - NAMED_MAX;
  const named = others > 0 ? [...targets.slice(0, NAMED_MAX), `${others} more`] : targets;
  const list = [named.slice(0, -1).join(", "), named.at(-1)].filter(Boolean).join(" and ");
  return `${list} ${targets.length > 1 ? "were" : "was"} to ${verb(fault)} at ${seconds(at)}`;
}

function verb(fault: Fault): string {
  switch (fault.kind) {
    case "slow":
      return fault.factor === 1 ? "regain full speed" : `be slowed${fold(fault.factor)}`;
    case "stress":
      return `be slowed${fold(fault.factor)} on and off`;
    case "pause":
      return "be paused";
    case "kill":
      return "be killed";
    case "load":
      return "run other programs";
    case "lose-outputs":
      return "lose outputs";
    case "evict":
      return "have attempts evicted";
    case "fill-disk":
      return "have a full disk";
    case "congestion":
      return "have congested links";
    default:
      return never(fault);
  }
}

/** A factor that is drawn for each node has no single value. */
const fold = (factor: Chance): string => (typeof factor === "number" ? ` ${factor}-fold` : "");
