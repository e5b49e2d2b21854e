import type { Capability } from "../../model/cluster.ts";
import type { Discipline } from "../../policy/policy.ts";

/** Everything besides its events on which a run depends; the journal's first line holds it. */
export interface Setup {
  readonly seed: number;
  /** Names; a SlotKind is an index into this list. */
  readonly slotKinds: readonly string[];
  /** Names; a RackId is an index into this list. */
  readonly racks: readonly string[];
  readonly discipline: Discipline;
  /** The capabilities of the host. */
  readonly capabilities: readonly Capability[];
  /** The most, in ms, that mean progress and percentiles may be out of date. */
  readonly statisticsEvery: number;
  /** Held slots are asked about again after this many ms: Hadoop's heartbeat. */
  readonly askAgainMs: number;
  /** The failures of one task that fail its job: mapred.map.max.attempts. */
  readonly attemptsMax: number;
  /** Reports of real hosts are kept for this many ms. */
  readonly reportsKeptMs: number;
}

export const SETUP_DEFAULTS = {
  statisticsEvery: 0,
  askAgainMs: 3_000,
  attemptsMax: 4,
  reportsKeptMs: 600_000,
} as const;
