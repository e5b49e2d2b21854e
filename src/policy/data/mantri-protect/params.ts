import type { Instant, JobId, NodeId, PhaseId, TaskId } from "../../../model/ids.ts";
import { type ParamsOf, params } from "../../params.ts";
import type { Context } from "../../policy.ts";
import type { Losses } from "./losses.ts";

export const PROTECT_PARAMS = params({
  /** §5.3: 0.1; 0 turns replication off. */
  replicationBudget: {
    default: 0.1,
    max: 1,
    about: "most bytes copied, as a fraction of the bytes that a job has processed (0.1)",
  },
  /** Ours: 1 Gb/s. */
  rackBytesPerMs: {
    default: 125_000,
    min: 1e-9,
    about: "bandwidth between two machines of a rack, bytes per ms",
  },
  /** r. Ours, from Figure 2: 99 % of phases lose nothing. */
  lossProbability: {
    default: 0.0001,
    max: 1,
    about: "probability that an unknown machine loses an output",
  },
  /** "Over a long period of time" (§5.3). Ours: a week, as hot spots move in weeks (§4.2). */
  lossMemoryMs: {
    default: 604_800_000,
    min: 1,
    about: "time over which the losses of a machine are remembered",
  },
  /**
   * §5.3 has a budget without a figure; 0: a lost output waits until it is missed, as in Cosmos.
   */
  recomputeBudget: {
    default: 0.1,
    max: 1,
    about: "time of recomputes ahead of need, as a fraction of a job's cluster time",
  },
  /** §5.3: 1; §6.5: 2 is right more often. */
  recomputesMin: {
    default: 1,
    min: 1,
    whole: true,
    about: "recomputes on a machine that announce more (1, or 2)",
  },
  /** Milliseconds: §6.5's "quick succession". Ours: 10 minutes. */
  onsetMs: {
    default: 600_000,
    about: "time within which these recomputes must follow each other",
  },
});

export type MantriProtectParams = ParamsOf<typeof PROTECT_PARAMS>;
export type ProtectContext = Context<MantriProtectParams, Memory>;

/** Plain data. */
export interface Memory {
  readonly losses: Losses;
  readonly jobs: Map<JobId, Account>;
  /** The recent times at which a machine lost the last copy of an output. */
  readonly onsets: Map<NodeId, Instant[]>;
  /** How long a task of the phase would wait for lost inputs, in ms. */
  readonly stallsMs: Map<PhaseId, number>;
}

/** The account of a live job. */
export interface Account {
  /** Bytes that may still be replicated. */
  tokenBytes: number;
  /** Cluster time, in ms, that may still be spent on recomputes ahead of need. */
  budgetMs: number;
  /** The job's outputs on each machine. */
  readonly outputs: Map<NodeId, Set<TaskId>>;
}
