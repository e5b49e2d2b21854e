import type { KillThen } from "../../model/action.ts";
import type { Instant } from "../../model/ids.ts";
import type { ProgressSource, ReportedProgress } from "../../model/progress.ts";
import type { StageEntry } from "../../model/view.ts";
import type { Why } from "../../model/why.ts";

/** Why and when the core asked for the end. */
export interface Killing {
  readonly then: KillThen;
  readonly why: Why;
  readonly since: Instant;
}

/** Fields that few attempts have. */
export class ColdFields {
  /** Progress that is not one line from the start on. */
  progress: ProgressSource | undefined = undefined;
  /** Set once the core has asked for the end. */
  killing: Killing | undefined = undefined;
  reports: ReportedProgress[] | undefined = undefined;
  stages: StageEntry[] | undefined = undefined;
}
