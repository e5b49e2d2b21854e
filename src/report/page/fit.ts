import type { PhaseRow } from "../../diagnose/findings.ts";
import type { PagePhase } from "./document.ts";

/** The line through a phase's durations and bytes; undefined if too few attempts ran. */
export function fitOf(row: PhaseRow | undefined): PagePhase["fit"] {
  if (row?.fit === undefined) return undefined;
  const { typicalMs, msPerByte, meanBytes } = row.fit;
  return { alphaMs: typicalMs - (msPerByte > 0 ? msPerByte * meanBytes : 0), msPerByte };
}
