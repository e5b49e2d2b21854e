import { ascending, type Comparator } from "../base/order.ts";
import { type Job, PRIORITIES } from "./job.ts";

/**
 * The order of jobs that FIFO and Fair share: priority, then submission time, then id (Hadoop
 * 1.2.1, JobQueueJobInProgressListener).
 */
export const byPriority: Comparator<Job> = ascending(
  (job) => PRIORITIES.indexOf(job.priority),
  ascending(
    (job) => job.submittedAt,
    ascending((job) => job.id),
  ),
);
