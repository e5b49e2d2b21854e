import type { Capability } from "../model/cluster.ts";
import type { Discipline } from "../policy/policy.ts";

/** All that a run depends on beside its events; the journal's first line holds it. */
export interface Setup {
  readonly seed: number;
  /** Names; a SlotKind is an index into them. */
  readonly slotKinds: readonly string[];
  /** Names; a RackId is an index into them. */
  readonly racks: readonly string[];
  readonly discipline: Discipline;
  /** What the host can do. */
  readonly capabilities: readonly Capability[];
  /** Mean progress and percentiles may be this old, in ms. */
  readonly statisticsEvery: number;
  /** Held slots are asked about again after this time: Hadoop's heartbeat. */
  readonly askAgainMs: number;
  /** A task's failed attempt of this number fails the job: mapred.map.max.attempts. */
  readonly attemptsMax: number;
  /** Reports of real hosts are kept for so long. */
  readonly reportsKeptMs: number;
}

export const SETUP_DEFAULTS = {
  statisticsEvery: 0,
  askAgainMs: 3_000,
  attemptsMax: 4,
  reportsKeptMs: 600_000,
} as const;
