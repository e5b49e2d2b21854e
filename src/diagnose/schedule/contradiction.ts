import { cell } from "../../base/rows.ts";
import { attemptName, type Plan } from "./planned.ts";
import { schedule, type Timing } from "./schedule.ts";

/** The recorded schedule cannot be reproduced: nothing may be said about it. */
export interface Contradiction {
  readonly attempt: string;
  readonly offMs: number;
}

const OFF_MAX = 0.001;

export function contradictionIn(
  plan: Plan,
  timing: Timing,
  responseMs: number,
): Contradiction | undefined {
  const { start, end } = schedule(plan, timing);
  let worst = -1;
  let offMs = 0;
  for (let i = 0; i < plan.count; i++) {
    const off = Math.max(distance(start, plan.start, i), distance(end, plan.end, i));
    if (off <= offMs) continue;
    offMs = off;
    worst = i;
  }
  // Kills and clocks leave milliseconds; only what moves the response matters.
  if (offMs <= Math.max(1, OFF_MAX * responseMs)) return undefined;
  return { attempt: attemptName(plan, worst), offMs };
}

const distance = (a: Float64Array, b: Float64Array, i: number): number => {
  const off = Math.abs(cell(a[i]) - cell(b[i]));
  return Number.isNaN(off) ? Number.POSITIVE_INFINITY : off;
};
