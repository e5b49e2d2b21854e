import { EventHeap } from "../../../base/heap.ts";
import { ascending } from "../../../base/order.ts";
import type { EdgeLog, JobLog } from "../logs/job-log.ts";

/** The ends of each phase's tasks, in the order of phases and tasks. */
export type JobEnds = readonly Float64Array[];

/** Tasks of a phase that find a part of their input gone, and wait until it is recomputed. */
export interface Stall {
  /** Index of the reading phase. */
  readonly phase: number;
  /** The share of the phase's tasks that wait: those that begin last. */
  readonly waiting: number;
  /** The time of the recomputation, from the first request on. */
  readonly redoMs: number;
}

/**
 * The schedule of a logged job: each phase on its own slots, its tasks in the order in which their
 * inputs are ready. Behind a barrier, the inputs are ready when all tasks of the other phase have
 * ended; otherwise a task waits for the tasks at the same relative position.
 */
export function scheduleJob(
  job: JobLog,
  times: readonly (readonly number[])[],
  stalls: readonly Stall[] = [],
): JobEnds {
  const ends: Float64Array[] = [];
  for (const [index, { slots }] of job.phases.entries()) {
    const own = times[index] ?? [];
    const ready = new Float64Array(own.length);
    for (const edge of job.edges) if (edge.to === index) waitFor(ready, edge, ends);
    const waits = stalls.filter(({ phase }) => phase === index);
    ends.push(schedule({ times: own, slots, ready, waits }));
  }
  return ends;
}

export const endOf = (ends: JobEnds): number =>
  ends.reduce((last, phase) => Math.max(last, lastOf(phase)), 0);

/** The last end of a phase's tasks. */
export function lastOf(ends: Float64Array): number {
  let last = 0;
  for (const at of ends) last = Math.max(last, at);
  return last;
}

function waitFor(ready: Float64Array, { from, barrier }: EdgeLog, ends: JobEnds): void {
  const before = ends[from] ?? new Float64Array(0);
  const last = barrier ? lastOf(before) : 0;
  for (let i = 0; i < ready.length; i += 1) {
    const one = barrier ? last : (before[Math.floor((i * before.length) / ready.length)] ?? 0);
    ready[i] = Math.max(ready[i] ?? 0, one);
  }
}

function schedule(of: {
  readonly times: readonly number[];
  readonly slots: number;
  readonly ready: Float64Array;
  readonly waits: readonly Stall[];
}): Float64Array {
  const { times, slots, ready } = of;
  const order = orderOf(ready);
  const busy = new EventHeap(Math.min(slots, times.length));
  const ends = new Float64Array(times.length);
  const waits = of.waits.map((stall) => new Wait(stall, times.length));
  for (let rank = 0; rank < order.length; rank += 1) {
    const i = order[rank]!;
    const isFull = busy.size === slots;
    let at = Math.max(isFull ? busy.nextTime : 0, ready[i] ?? 0);
    for (const wait of waits) at = wait.over(rank, at);
    const end = at + (times[i] ?? 0);
    ends[i] = end;
    if (isFull) busy.delayFirst(end);
    else busy.push(end, 0);
  }
  return ends;
}

/** The tasks by the time at which they are ready, ties by index: they are usually in order. */
function orderOf(ready: Float64Array): Uint32Array {
  const order = new Uint32Array(ready.length);
  let isRising = true;
  for (let i = 0; i < order.length; i += 1) {
    order[i] = i;
    if (i > 0 && ready[i]! < ready[i - 1]!) isRising = false;
  }
  if (isRising) return order;
  return order.sort(
    ascending(
      (i) => ready[i] ?? 0,
      ascending((i) => i),
    ),
  );
}

class Wait {
  readonly #firstRank: number;
  readonly #redoMs: number;
  #overAt = Number.NEGATIVE_INFINITY;

  constructor({ waiting, redoMs }: Stall, tasks: number) {
    this.#firstRank = Math.min(tasks - 1, Math.floor(tasks * (1 - waiting)));
    this.#redoMs = redoMs;
  }

  /** When the task of this rank in its phase can continue, if it gets its slot at time `at`. */
  over(rank: number, at: number): number {
    if (rank < this.#firstRank) return at;
    if (rank === this.#firstRank) this.#overAt = at + this.#redoMs;
    return Math.max(at, this.#overAt);
  }
}
