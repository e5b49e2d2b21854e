import type { Context } from "../../policy.ts";
import type { Memory } from "./memory.ts";

export interface MantriProtectParams {
  /** Bytes replicated, as a fraction of those that the job has processed. §5.3: 0.1; 0: none. */
  readonly replicationBudget: number;
  /** Bytes per ms between two machines of a rack. Ours: 1 Gb/s. */
  readonly rackBytesPerMs: number;
  /** r of a machine of which nothing is known. Ours, from Figure 2: 99 % of phases lose nothing. */
  readonly lossProbability: number;
  /** "Over a long period of time" (§5.3). Ours: a week, as hot spots move in weeks (§4.2). */
  readonly lossMemoryMs: number;
  /**
   * Cluster time of recomputes before need, as a fraction of what the job has used. §5.3 has a
   * budget without a figure; 0: what is lost waits until it is missed, as in Cosmos.
   */
  readonly recomputeBudget: number;
  /** Recomputes on a machine that announce more. §5.3: 1; §6.5: 2 is right more often. */
  readonly recomputesMin: number;
  /** Milliseconds within which they must come: §6.5's "quick succession". Ours: 10 minutes. */
  readonly onsetMs: number;
}

export type ProtectContext = Context<MantriProtectParams, Memory>;
