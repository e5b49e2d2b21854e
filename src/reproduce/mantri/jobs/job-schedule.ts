import { EventHeap } from "../../../base/heap.ts";
import { ascending } from "../../../base/order.ts";
import type { EdgeLog, JobLog } from "../logs/job-log.ts";

/** When the tasks of each phase end, in the order of phases and tasks. */
export type JobEnds = readonly Float64Array[];

/**
 * A job as it was run: each phase on its own slots, its tasks in the order in which their inputs
 * are there. Behind a barrier that is when all tasks of the other phase have ended; else a task
 * waits for those that stand where it stands.
 */
export function scheduleJob(job: JobLog, times: readonly (readonly number[])[]): JobEnds {
  const ends: Float64Array[] = [];
  for (const [index, { slots }] of job.phases.entries()) {
    const own = times[index] ?? [];
    const ready = new Float64Array(own.length);
    for (const edge of job.edges) if (edge.to === index) waitFor(ready, edge, ends);
    ends.push(schedule(own, slots, ready));
  }
  return ends;
}

export const endOf = (ends: JobEnds): number =>
  ends.reduce((last, phase) => phase.reduce((end, at) => Math.max(end, at), last), 0);

function waitFor(ready: Float64Array, { from, barrier }: EdgeLog, ends: JobEnds): void {
  const before = ends[from] ?? new Float64Array(0);
  const last = before.reduce((end, at) => Math.max(end, at), 0);
  for (let i = 0; i < ready.length; i += 1) {
    const one = before[Math.floor((i * before.length) / ready.length)] ?? 0;
    ready[i] = Math.max(ready[i] ?? 0, barrier ? last : one);
  }
}

function schedule(times: readonly number[], slots: number, ready: Float64Array): Float64Array {
  const order = times
    .map((_, i) => i)
    .sort(
      ascending(
        (i) => ready[i] ?? 0,
        ascending((i) => i),
      ),
    );
  const busy = new EventHeap(slots);
  const ends = new Float64Array(times.length);
  for (const i of order) {
    const idleAt = busy.size < slots ? 0 : busy.nextTime;
    if (busy.size === slots) busy.pop();
    const end = Math.max(idleAt, ready[i] ?? 0) + (times[i] ?? 0);
    ends[i] = end;
    busy.push(end, 0);
  }
  return ends;
}
