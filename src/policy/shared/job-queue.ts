import { defined } from "../../base/assert.ts";
import type { Comparator } from "../../base/order.ts";
import { byPriority } from "../../model/by-priority.ts";
import type { JobId } from "../../model/ids.ts";
import type { Job } from "../../model/job.ts";
import type { View } from "../../model/view.ts";

/** Live jobs in the order in which they are served. */
export type JobQueue = JobId[];

/** Inserts the job at its place. COST: O(log jobs) comparisons. */
export function enqueue(
  queue: JobQueue,
  view: View,
  job: Job,
  order: Comparator<Job> = byPriority,
): void {
  let low = 0;
  let high = queue.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (order(view.job(defined(queue[middle], "a job")), job) < 0) low = middle + 1;
    else high = middle;
  }
  queue.splice(low, 0, job.id);
}

export function dequeue(queue: JobQueue, job: JobId): void {
  const place = queue.indexOf(job);
  if (place >= 0) queue.splice(place, 1);
}
