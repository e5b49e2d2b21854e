import { cell } from "../../base/rows.ts";
import type { Measure } from "../../history/columns.ts";
import { attemptsOf, type Plan } from "../schedule/planned.ts";
import { schedule, type Timing } from "../schedule/schedule.ts";
import { allAtOnce, peaksOf } from "./parts.ts";

/** What attempts waited for, as far as the log measures it, and what it cost at most. */
export interface Blocked {
  readonly what: "gc" | "fetch-wait" | "write-wait" | "deserialisation";
  /** Slot time, over all attempts. */
  readonly slotMs: number;
  /** By how much the response would be shorter if no attempt had waited: an upper bound. */
  readonly atMostMs: number;
}

const MEASURED: readonly (readonly [Blocked["what"], Measure])[] = [
  ["gc", "gcMs"],
  ["fetch-wait", "fetchWaitMs"],
  ["write-wait", "writeWaitMs"],
  ["deserialisation", "deserializeMs"],
];

/**
 * Bounds in the manner of blocked-time analysis: part of a wait overlaps with computing, so that
 * less is gained. COST: a schedule for each measure that the log has.
 */
export function blockedIn(plan: Plan, { own, wait }: Timing): readonly Blocked[] {
  const recorded = schedule(plan, { own, wait }).doneAt;
  return MEASURED.flatMap(([what, measure]): readonly Blocked[] => {
    let slotMs = 0;
    const without = own.map((ms, i) => {
      const value = cell(attemptsOf(plan, i)[measure][cell(plan.row[i])]);
      const blocked = Number.isNaN(value) ? 0 : Math.min(value, ms);
      slotMs += blocked;
      return ms - blocked;
    });
    if (slotMs === 0) return [];
    const atMostMs = Math.max(0, recorded - schedule(plan, { own: without, wait }).doneAt);
    return [{ what, slotMs, atMostMs }];
  });
}

/** The same job on more or fewer slots. */
export interface Sized {
  readonly slots: number;
  readonly responseMs: number;
}

const SIZES = [0.5, 1, 2, 4];

/**
 * The response with other numbers of slots, all there from the start, if every attempt and wait
 * takes as long as it took. COST: a schedule for each size.
 */
export function sizedRows(plan: Plan, { own, wait }: Timing): readonly Sized[] {
  const { job } = plan;
  const peaks = peaksOf(plan);
  const tail = job.endedAt - schedule(plan, { own, wait }).doneAt;
  return SIZES.map((size) => {
    const slots = peaks.map((count) => (count === 0 ? 0 : Math.max(1, Math.round(size * count))));
    const { doneAt } = schedule({ ...plan, pools: allAtOnce(slots) }, { own, wait });
    const total = slots.reduce((sum, count) => sum + count, 0);
    return { slots: total, responseMs: doneAt + tail - job.submittedAt };
  });
}
