import { nextFloat, type RandomState, split } from "../../base/random.ts";
import type { SimPhase } from "./state.ts";

/**
 * The most attempts per task: more than 16 bits of launches occur only in worlds that never end.
 */
export const ORDINALS = 65_536;

/** The share of its work after which an attempt fails, 0 to 1; undefined if it does not fail. */
export function failurePoint(phase: SimPhase, index: number, ordinal: number): number | undefined {
  if (phase.failureProbability === 0) return undefined;
  const own = split(phase.stream, index * ORDINALS + ordinal);
  return nextFloat(own) < phase.failureProbability ? nextFloat(own) : undefined;
}

/** The stream for an attempt's other draws, which its failure does not change. */
export const chanceOf = (phase: SimPhase, index: number, ordinal: number): RandomState =>
  split(phase.stream, -1 - index * ORDINALS - ordinal);
