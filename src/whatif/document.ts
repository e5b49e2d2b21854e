import type { Advice } from "./advise.ts";
import type { Answer } from "./change.ts";
import type { Gate } from "./gate.ts";
import type { Loss } from "./loss.ts";
import type { ClusterSize } from "./resize.ts";
import type { Rho } from "./rho.ts";

/** What other policies would have made of a job. Times in ms. */
export interface WhatIf {
  readonly job: string;
  readonly responseMs: number;
  /** The answer in sentences; the first is the headline. */
  readonly verdict: readonly string[];
  /** What the answers for this log cannot include. */
  readonly cannot: readonly string[];
  /** What the answers assume. */
  readonly assumed: readonly string[];
  /** Absent if the record contradicts itself. */
  readonly loss?: Loss;
  readonly gate: Gate;
  /** The gate in a sentence. */
  readonly gateText: string;
  /** The discipline to which all rows are compared, and its recorded settings. */
  readonly baseline: string;
  readonly baselineSettings: readonly string[];
  readonly seeds: number;
  readonly rho: Rho;
  /** The rows are about the job on this cluster, compared with the recorded one. */
  readonly size?: ClusterSize;
  /** Whether there is no reason to try anything: the verdict says why, and there are no rows. */
  readonly isNothingToTry: boolean;
  readonly rows: readonly WhatIfRow[];
  /** What the rows mean, and how far they can be trusted, in sentences; empty without rows. */
  readonly notes: readonly string[];
  readonly advice?: Advice;
}

/** The results behind the sentences. */
export type WhatIfFacts = Omit<WhatIf, "verdict" | "gateText" | "notes">;

/** The answers for a policy if the job runs again; `thatRun`: in the recorded run itself. */
export interface WhatIfRow extends Answer {
  readonly policy: string;
  readonly thatRun?: Answer & { readonly isRough: boolean };
  /** With the policy's copies switched off: change of the response as a share of it. */
  readonly placebo: number;
  /** Beyond this, the change is not the work of the policy's copies alone. */
  readonly isMarked: boolean;
}
