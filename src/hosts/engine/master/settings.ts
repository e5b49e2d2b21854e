import { SETUP_DEFAULTS, type Setup } from "../../../core/setup.ts";
import type { Capability } from "../../../model/cluster.ts";
import type { Fault } from "../../../model/fault.ts";
import type { Discipline } from "../../../policy/policy.ts";
import { SLOT_KINDS } from "../../../run/job-plan.ts";
import type { RecordedOptions } from "../../../run/options.ts";
import { rackNames } from "../../../run/racks.ts";
import type { RunDirectory } from "../../../run/run-directory.ts";
import type { RunEvent } from "../../../run/run-event.ts";

export interface MasterSettings {
  readonly directory: RunDirectory;
  readonly discipline: Discipline;
  readonly nodes: number;
  readonly slots: number;
  readonly racks: number;
  readonly rackMbps?: number;
  readonly heartbeatMs: number;
  readonly askAgainMs: number;
  readonly taskTimeoutMs: number;
  readonly attemptsMax: number;
  readonly seed: number;
  readonly explain: boolean;
  readonly faults: readonly Fault[];
  readonly onEvent: (event: RunEvent) => void;
  /** Something of ours, or of a listener, has thrown: the run cannot go on. */
  readonly broken: (error: unknown) => void;
  readonly memoryBytes?: number;
  /** The options of the run, for a resume; undefined: it cannot be resumed. */
  readonly options: RecordedOptions | undefined;
  /** An earlier master was killed: its journal is there, and is gone on with. */
  readonly isResumed: boolean;
}

/** What this host does for policies. */
const CAPABILITIES: readonly Capability[] = [
  "slot-offers",
  "requests",
  "placement",
  "kill-restart",
  "kill-only",
  "prefer",
  "replicate",
  "recompute",
];

/** What the core knows of this host. */
export function setupOf({
  discipline,
  racks,
  seed,
  askAgainMs,
  attemptsMax,
}: MasterSettings): Setup {
  return {
    ...SETUP_DEFAULTS,
    seed,
    slotKinds: SLOT_KINDS,
    racks: rackNames(racks),
    discipline,
    // With one rack there is none to replicate to.
    capabilities: CAPABILITIES.filter((one) => one !== "replicate" || racks > 1),
    askAgainMs,
    attemptsMax,
  };
}
