import { cell } from "../../base/rows.ts";
import type { Plan } from "../schedule/planned.ts";
import type { Scheduled } from "../schedule/schedule.ts";

/** How a schedule used its slots, in ms of response. */
export interface SlotUse {
  /** The time in which some attempt ran. */
  readonly busyMs: number;
  /** By phase: the time that its attempts would take if they filled all slots. */
  readonly workMs: Float64Array;
  /** By phase: the rest of the time in which its attempts ran; slots were idle beside them. */
  readonly idleBesideMs: Float64Array;
  /** By phase: the time in which slots were idle, since its tasks start together. */
  readonly gatheringMs: Float64Array;
}

/**
 * Takes the time in which attempts ran apart: while 3 of 4 slots are in use, 3/4 of the time is
 * work and 1/4 idle. With pools of several kinds, that of the fullest counts. `slots`: by pool.
 * COST: O(n log n) for n attempts.
 */
export function slotUse(
  { pool, phase, job, count, resultMs }: Plan,
  { start, end, gathering }: Pick<Scheduled, "start" | "end" | "gathering">,
  slots: readonly number[],
  { from, until }: { readonly from: number; readonly until: number },
): SlotUse {
  const clipped = (at: number): number => Math.min(Math.max(at, from), until);
  const begins = start.map(clipped);
  const ends = end.map((at, i) => clipped(at - cell(resultMs[i])));
  // Starts come at even places, ends at odd ones.
  const at = (place: number): number => cell((place % 2 === 0 ? begins : ends)[place >> 1]);
  const places = Array.from({ length: 2 * count }, (_, place) => place).filter(
    (place) => cell(ends[place >> 1]) > cell(begins[place >> 1]),
  );
  places.sort((a, b) => Math.sign(at(a) - at(b)));
  const running = slots.map(() => 0);
  const [work, idle] = [slots.map(() => 0), slots.map(() => 0)];
  const [workAtStart, idleAtStart] = [new Float64Array(count), new Float64Array(count)];
  const workMs = new Float64Array(job.phases.length);
  const idleBesideMs = new Float64Array(job.phases.length);
  const gatheringMs = new Float64Array(job.phases.length);
  let [busyMs, before] = [0, from];
  for (const place of places) {
    const passed = at(place) - before;
    if (passed > 0) {
      const k = fullest(running, slots);
      const used = k < 0 ? 0 : cell(running[k]);
      if (used > 0) {
        const all = Math.max(used, cell(slots[k]));
        busyMs += passed;
        work[k] = cell(work[k]) + passed / all;
        const waiting = gathering.find((one) => one.from < at(place) && one.until > before);
        const waitedMs =
          waiting === undefined
            ? 0
            : Math.min(waiting.until, at(place)) - Math.max(waiting.from, before);
        const idleShare = 1 - used / all;
        if (waiting !== undefined) {
          const { phase: of } = waiting;
          gatheringMs[of] = cell(gatheringMs[of]) + waitedMs * idleShare;
        }
        idle[k] = cell(idle[k]) + ((passed - waitedMs) * idleShare) / used;
      }
    }
    before = at(place);
    const i = place >> 1;
    const [own, of] = [cell(pool[i]), cell(phase[i])];
    if (place % 2 === 0) {
      running[own] = cell(running[own]) + 1;
      workAtStart[i] = cell(work[own]);
      idleAtStart[i] = cell(idle[own]);
    } else {
      running[own] = cell(running[own]) - 1;
      workMs[of] = cell(workMs[of]) + cell(work[own]) - cell(workAtStart[i]);
      idleBesideMs[of] = cell(idleBesideMs[of]) + cell(idle[own]) - cell(idleAtStart[i]);
    }
  }
  return { busyMs, workMs, idleBesideMs, gatheringMs };
}

/** The pool with the largest share of its slots in use; -1 if there are no pools. */
function fullest(running: readonly number[], slots: readonly number[]): number {
  let [best, most] = [-1, -1];
  for (const [k, used] of running.entries()) {
    const share = used / Math.max(used, cell(slots[k]), 1);
    if (share > most) [best, most] = [k, share];
  }
  return best;
}
