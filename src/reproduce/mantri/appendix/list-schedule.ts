import { assert } from "../../../base/assert.ts";
import { EventHeap } from "../../../base/heap.ts";

/** When the last task ends if each task in order takes the first idle slot. */
export function listSchedule(times: readonly number[], slots: number): number {
  assert(slots >= 1, "somewhere to run");
  const busy = new EventHeap(slots);
  let end = 0;
  for (const time of times) {
    const idleAt = busy.size < slots ? 0 : busy.nextTime;
    if (busy.size === slots) busy.pop();
    busy.push(idleAt + time, 0);
    end = Math.max(end, idleAt + time);
  }
  return end;
}

/** The earliest possible end over all schedules. COST: exponential; for a dozen tasks. */
export function optimalSchedule(times: readonly number[], slots: number): number {
  const falling = [...times].sort((x, y) => (x === y ? 0 : x < y ? 1 : -1));
  let best = listSchedule(falling, slots);
  const loads = new Array<number>(slots).fill(0);
  const place = (index: number): void => {
    const time = falling[index];
    if (time === undefined) {
      best = Math.min(best, Math.max(...loads));
      return;
    }
    const tried = new Set<number>();
    for (let slot = 0; slot < slots; slot += 1) {
      const load = loads[slot] ?? 0;
      // Equally full slots are interchangeable, and a choice that is no better is skipped.
      if (tried.has(load) || load + time >= best) continue;
      tried.add(load);
      loads[slot] = load + time;
      place(index + 1);
      loads[slot] = load;
    }
  };
  place(0);
  return best;
}
