import { type ParamsOf, params } from "../../params.ts";
import { faultInPools, faultInUsers } from "./pools.ts";

const NEVER = Number.POSITIVE_INFINITY;

export const PARAMS = params({
  /**
   * The allocation file, as `research:weight=2,minMaps=10,mode=fifo;adhoc:maxRunningJobs=3`. A pool
   * has weight, mode, minMaps, minReduces, maxMaps, maxReduces, maxRunningJobs and
   * minSharePreemptionTimeoutMs; a pool that is not named has weight 1 and no limits.
   */
  pools: {
    default: "",
    fault: faultInPools,
    about: "settings of pools, as research:weight=2,minMaps=10;adhoc:mode=fifo,maxRunningJobs=3",
  },
  users: {
    default: "",
    fault: faultInUsers,
    about: "limits of users, as ann:maxRunningJobs=2",
  },
  /** Elephant §2.3: by default each user has a pool (poolnameproperty, user.name). */
  userPools: {
    default: true,
    about: "whether a job that names no pool (default) is in its user's pool",
  },
  /** defaultPoolSchedulingMode. */
  fairWithinPools: {
    default: true,
    about: "whether a pool without a mode shares fairly within (false: the first job first)",
  },
  /** userMaxJobsDefault. */
  userMaxJobs: {
    default: NEVER,
    min: 1,
    whole: true,
    about: "most admitted jobs of any other user (no limit)",
  },
  /** poolMaxJobsDefault. */
  poolMaxJobs: {
    default: NEVER,
    min: 1,
    whole: true,
    about: "most admitted jobs of a pool without a limit of its own (no limit)",
  },
  /** sizebasedweight, false. */
  sizeBasedWeight: {
    default: false,
    about: "whether a job's weight is multiplied by log2(1 + demand)",
  },
  /** Elephant §2.3; Hadoop 1.2.1 does not adjust them. */
  adjustMinShares: {
    default: true,
    about: "whether minimum shares shrink while their sum exceeds the slots",
  },
  /** assignmultiple, true. */
  assignMultiple: {
    default: true,
    about: "whether an offer may be given more than one task",
  },
  /** assignmultiple.maps. */
  mapsMax: { default: NEVER, min: 1, whole: true, about: "most maps in one offer (no limit)" },
  /** assignmultiple.reduces. */
  reducesMax: {
    default: NEVER,
    min: 1,
    whole: true,
    about: "most reduces in one offer (no limit)",
  },
  /** load.max.diff, 0. */
  loadMaxDiff: {
    default: 0,
    max: 1,
    about: "how much fuller than the cluster a node may be, as a share of its slots (0)",
  },
  /** Hadoop since 1.1.0 (MAPREDUCE-2905). */
  loadCountsOffer: {
    default: true,
    about: "whether a node's load counts launches of the same offer (true; before 1.1.0 false)",
  },
  /** Hadoop 1.2.1 computes the delays if no locality.delay is set. */
  automaticLocalityDelay: {
    default: true,
    about: "whether a job waits 1.5 heartbeats, 15 s at most, for a slot near its data (true)",
  },
  /** locality.delay.node. */
  localityDelayNodeMs: {
    default: 15_000,
    about: "wait for a slot on the data's node where the delay is not automatic, ms",
  },
  /** locality.delay.rack. */
  localityDelayRackMs: {
    default: 15_000,
    about: "wait for a slot on the data's rack after that, where the delay is not automatic, ms",
  },
  /** preemption, false. */
  preemption: {
    default: false,
    about: "whether attempts are killed for the share of another pool",
  },
  /** preemption.interval, 15,000. */
  preemptionIntervalMs: {
    default: 15_000,
    min: 1,
    about: "time between two looks at pre-emption (15,000 ms)",
  },
  /** defaultMinSharePreemptionTimeout. */
  minSharePreemptionTimeoutMs: {
    default: NEVER,
    about: "time below its minimum share after which a pool has others' attempts killed (never)",
  },
  /** fairSharePreemptionTimeout. */
  fairSharePreemptionTimeoutMs: {
    default: NEVER,
    about:
      "time below half of its fair share after which a pool has others' attempts killed (never)",
  },
  /** update.interval, 500. */
  updateMs: { default: 500, min: 1, about: "time between two looks at the pools' shares (500 ms)" },
});

export type FairParams = ParamsOf<typeof PARAMS>;
