import { type ParamsOf, params } from "../../params.ts";
import { faultInQueues } from "./queues.ts";

export const PARAMS = params({
  /**
   * capacity-scheduler.xml, as `prod:capacity=70,maximumCapacity=90;adhoc:capacity=30`. A queue has
   * capacity, maximumCapacity, minimumUserLimitPercent, userLimitFactor, supportsPriority,
   * maximumActiveTasks and maximumActiveTasksPerUser. Jobs of other pools are in the first queue.
   */
  queues: {
    default: "default:capacity=100",
    fault: faultInQueues,
    about:
      "per cent of the slots, 100 in all: prod:capacity=70,maximumCapacity=90;adhoc:capacity=30",
  },
  /** maximum-system-jobs, 5,000. */
  maximumSystemJobs: {
    default: 5000,
    min: 1,
    whole: true,
    about: "jobs initialised at once, shared out by capacity (5,000)",
  },
  /** default-minimum-user-limit-percent, 100. */
  minimumUserLimitPercent: {
    default: 100,
    min: 1,
    max: 100,
    about: "least share of a queue for each of its users, % (100)",
  },
  /** default-user-limit-factor, 1. */
  userLimitFactor: { default: 1, about: "times of a queue's capacity that one user may have (1)" },
  /** default-supports-priority, false. */
  supportsPriority: { default: false, about: "whether jobs of a queue go by priority (false)" },
  /** default-maximum-active-tasks-per-queue, 200,000. */
  maximumActiveTasks: {
    default: 200_000,
    min: 1,
    whole: true,
    about: "tasks of initialised jobs of a queue (200,000)",
  },
  /** default-maximum-active-tasks-per-user, 100,000. */
  maximumActiveTasksPerUser: {
    default: 100_000,
    min: 1,
    whole: true,
    about: "tasks of initialised jobs of a user in a queue (100,000)",
  },
  /** mapreduce.job.locality.wait.factor; the default, 1, is replaced by the share of the nodes. */
  localityWaitFactor: {
    default: 1,
    about:
      "share of the nodes that a job waits for before it goes off its rack (1: those with input)",
  },
  /** Hadoop 1.2.1: 1. */
  farMax: {
    default: 1,
    min: 1,
    whole: true,
    about: "most off-rack or speculative maps in one offer (1)",
  },
  /** maximum-tasks-per-heartbeat, 32,767. */
  mapsMax: { default: 32_767, min: 1, whole: true, about: "most maps in one offer (32,767)" },
  /** Hadoop 1.2.1: 1. */
  reducesMax: { default: 1, min: 1, whole: true, about: "most reduces in one offer (1)" },
});

export type CapacityParams = ParamsOf<typeof PARAMS>;
