export interface CapacityParams {
  /**
   * capacity-scheduler.xml, as `prod:capacity=70,maximumCapacity=90;adhoc:capacity=30`. A queue has
   * capacity, maximumCapacity, minimumUserLimitPercent, userLimitFactor, supportsPriority,
   * maximumActiveTasks and maximumActiveTasksPerUser. Jobs of other pools are in the first queue.
   */
  readonly queues: string;
  /** Jobs initialised at once, over all queues: maximum-system-jobs, 5,000. */
  readonly maximumSystemJobs: number;
  /** Per cent: default-minimum-user-limit-percent, 100. */
  readonly minimumUserLimitPercent: number;
  /** default-user-limit-factor, 1. */
  readonly userLimitFactor: number;
  /** default-supports-priority, false. */
  readonly supportsPriority: boolean;
  /** default-maximum-active-tasks-per-queue, 200,000, and -per-user, 100,000. */
  readonly maximumActiveTasks: number;
  readonly maximumActiveTasksPerUser: number;
  /** Most of the cluster that a job waits for: mapreduce.job.locality.wait.factor, 1. */
  readonly localityWaitFactor: number;
  /** Most off-rack or speculative maps in one offer. Hadoop 1.2.1: 1. */
  readonly farMax: number;
  /** Most maps in one offer: maximum-tasks-per-heartbeat, 32,767. */
  readonly mapsMax: number;
  /** Most reduces in one offer. Hadoop 1.2.1: 1. */
  readonly reducesMax: number;
}

const NO_LIMIT = Number.POSITIVE_INFINITY;

export const DEFAULTS: CapacityParams = {
  queues: "default:capacity=100",
  maximumSystemJobs: 5000,
  minimumUserLimitPercent: 100,
  userLimitFactor: 1,
  supportsPriority: false,
  maximumActiveTasks: 200_000,
  maximumActiveTasksPerUser: 100_000,
  localityWaitFactor: 1,
  farMax: 1,
  mapsMax: 32_767,
  reducesMax: 1,
};

export const ABOUT: { readonly [parameter in keyof CapacityParams]: string } = {
  queues:
    "per cent of the slots, 100 in all: prod:capacity=70,maximumCapacity=90;adhoc:capacity=30",
  maximumSystemJobs: "jobs initialised at once, shared out by capacity (5,000)",
  minimumUserLimitPercent: "share of a queue that each of its users gets at least, % (100)",
  userLimitFactor: "how often a queue's capacity one user may have (1)",
  supportsPriority: "whether jobs of a queue go by priority (false)",
  maximumActiveTasks: "tasks of initialised jobs of a queue (200,000)",
  maximumActiveTasksPerUser: "tasks of initialised jobs of a user in a queue (100,000)",
  localityWaitFactor: "most of the cluster that a job waits for before it goes off its rack (1)",
  farMax: "most off-rack or speculative maps in one offer (1)",
  mapsMax: "most maps in one offer (32,767)",
  reducesMax: "most reduces in one offer (1)",
};

export const BOUNDS: { readonly [parameter: string]: readonly [min: number, max: number] } = {
  maximumSystemJobs: [1, NO_LIMIT],
  minimumUserLimitPercent: [1, 100],
  maximumActiveTasks: [1, NO_LIMIT],
  maximumActiveTasksPerUser: [1, NO_LIMIT],
  farMax: [1, NO_LIMIT],
  mapsMax: [1, NO_LIMIT],
  reducesMax: [1, NO_LIMIT],
};

export const WHOLE: readonly string[] = [
  "maximumSystemJobs",
  "maximumActiveTasks",
  "maximumActiveTasksPerUser",
  "farMax",
  "mapsMax",
  "reducesMax",
];
