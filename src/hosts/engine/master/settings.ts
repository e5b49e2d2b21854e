import { SETUP_DEFAULTS, type Setup } from "../../../core/state/setup.ts";
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
  /** The master's own code or a listener threw: the run cannot go on. */
  readonly broken: (error: unknown) => void;
  readonly memoryBytes?: number;
  /** The options of the run, for a resume; undefined if the run cannot be resumed. */
  readonly options: RecordedOptions | undefined;
  /** The journal of a killed master exists and is continued. */
  readonly isResumed: boolean;
}

/** What this host can do for policies. */
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
    // A single rack has no other rack to replicate to.
    capabilities: CAPABILITIES.filter((one) => one !== "replicate" || racks > 1),
    askAgainMs,
    attemptsMax,
  };
}
