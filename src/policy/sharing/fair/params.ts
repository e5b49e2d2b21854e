export interface FairParams {
  /**
   * The allocation file, as `research:weight=2,minMaps=10,mode=fifo;adhoc:maxRunningJobs=3`. A pool
   * has weight, mode, minMaps, minReduces, maxMaps, maxReduces, maxRunningJobs and
   * minSharePreemptionTimeoutMs; one that is not named has weight 1 and no limits.
   */
  readonly pools: string;
  /** Limits of users: `ann:maxRunningJobs=2`. */
  readonly users: string;
  /**
   * Whether a job whose pool is `default` is in its user's pool. Elephant §2.3: by default each
   * user has one (mapred.fairscheduler.poolnameproperty, user.name).
   */
  readonly userPools: boolean;
  /** Within a pool that does not say: fair sharing, or first the first job. Hadoop 1.2.1: fair. */
  readonly fairWithinPools: boolean;
  /** userMaxJobsDefault and poolMaxJobsDefault: no limit. */
  readonly userMaxJobs: number;
  readonly poolMaxJobs: number;
  /** Whether a job's weight grows with the logarithm of its demand: sizebasedweight, false. */
  readonly sizeBasedWeight: boolean;
  /** Whether minimum shares shrink while the cluster cannot give all of them. Elephant §2.3. */
  readonly adjustMinShares: boolean;
  /** Whether an offer may be given more than one task: assignmultiple, true. */
  readonly assignMultiple: boolean;
  /** Most maps and reduces in one offer: assignmultiple.maps, assignmultiple.reduces, no limit. */
  readonly mapsMax: number;
  readonly reducesMax: number;
  /** How much fuller than the cluster a node may be, as a share of its slots: load.max.diff, 0. */
  readonly loadMaxDiff: number;
  /** Whether the load counts what this offer has been given: since Hadoop 1.1.0 (MAPREDUCE-2905). */
  readonly loadCountsOffer: boolean;
  /** Whether the locality delays are 1.5 heartbeats, 15 s at most: Hadoop 1.2.1 unless set. */
  readonly automaticLocalityDelay: boolean;
  /** Otherwise milliseconds: locality.delay.node and locality.delay.rack. */
  readonly localityDelayNodeMs: number;
  readonly localityDelayRackMs: number;
  /** Whether attempts are killed for another pool's share: preemption, false. */
  readonly preemption: boolean;
  /** Milliseconds between two looks at pre-emption: preemption.interval, 15,000. */
  readonly preemptionIntervalMs: number;
  /** Milliseconds below the minimum share, or half the fair share, before that. Never. */
  readonly minSharePreemptionTimeoutMs: number;
  readonly fairSharePreemptionTimeoutMs: number;
  /** Milliseconds between two looks at who has his share: update.interval, 500. */
  readonly updateMs: number;
}

const NEVER = Number.POSITIVE_INFINITY;

export const DEFAULTS: FairParams = {
  pools: "",
  users: "",
  userPools: true,
  fairWithinPools: true,
  userMaxJobs: NEVER,
  poolMaxJobs: NEVER,
  sizeBasedWeight: false,
  adjustMinShares: true,
  assignMultiple: true,
  mapsMax: NEVER,
  reducesMax: NEVER,
  loadMaxDiff: 0,
  loadCountsOffer: true,
  automaticLocalityDelay: true,
  localityDelayNodeMs: 15_000,
  localityDelayRackMs: 15_000,
  preemption: false,
  preemptionIntervalMs: 15_000,
  minSharePreemptionTimeoutMs: NEVER,
  fairSharePreemptionTimeoutMs: NEVER,
  updateMs: 500,
};

export const ABOUT: { readonly [parameter in keyof FairParams]: string } = {
  pools: "settings of pools, as research:weight=2,minMaps=10;adhoc:mode=fifo,maxRunningJobs=3",
  users: "limits of users, as ann:maxRunningJobs=2",
  userPools: "whether a job that names no pool (default) is in its user's pool",
  fairWithinPools:
    "whether a pool that does not say shares fairly within (false: the first job first)",
  userMaxJobs: "most admitted jobs of a user who is not named (no limit)",
  poolMaxJobs: "most admitted jobs of a pool that does not say (no limit)",
  sizeBasedWeight: "whether a job's weight is multiplied by log2(1 + demand)",
  adjustMinShares: "whether minimum shares shrink while their sum exceeds the slots",
  assignMultiple: "whether an offer may be given more than one task",
  mapsMax: "most maps in one offer (no limit)",
  reducesMax: "most reduces in one offer (no limit)",
  loadMaxDiff: "how much fuller than the cluster a node may be, as a share of its slots (0)",
  loadCountsOffer: "whether a node's load counts what the same offer has given it (true; before 1.1.0 false)",
  automaticLocalityDelay:
    "whether a job waits 1.5 heartbeats, 15 s at most, for a slot near its data (true)",
  localityDelayNodeMs: "wait for a slot on the data's node where the delay is not automatic, ms",
  localityDelayRackMs:
    "wait for a slot on the data's rack after that, where the delay is not automatic, ms",
  preemption: "whether attempts are killed for the share of another pool",
  preemptionIntervalMs: "time between two looks at pre-emption (15,000 ms)",
  minSharePreemptionTimeoutMs:
    "time below its minimum share after which a pool has others' attempts killed (never)",
  fairSharePreemptionTimeoutMs:
    "time below half of its fair share after which a pool has others' attempts killed (never)",
  updateMs: "time between two looks at who has its share (500 ms)",
};

export const BOUNDS: { readonly [parameter: string]: readonly [min: number, max: number] } = {
  userMaxJobs: [1, NEVER],
  poolMaxJobs: [1, NEVER],
  mapsMax: [1, NEVER],
  reducesMax: [1, NEVER],
  loadMaxDiff: [0, 1],
  preemptionIntervalMs: [1, NEVER],
  updateMs: [1, NEVER],
};

export const WHOLE: readonly string[] = ["userMaxJobs", "poolMaxJobs", "mapsMax", "reducesMax"];
