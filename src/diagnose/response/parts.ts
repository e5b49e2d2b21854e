import { cell } from "../../base/rows.ts";
import type { Plan, SlotPools } from "../schedule/planned.ts";
import { type Scheduled, schedule, type Timing } from "../schedule/schedule.ts";
import type { Idle } from "./idle.ts";
import { mostAtOnce } from "./most-at-once.ts";
import type { Part } from "./part.ts";
import { both, lengthOf, outside, union } from "./spans.ts";
import { type SlotUse, slotUse } from "./use.ts";

export interface Parts {
  /** They add up to the usual time; none is negative. */
  readonly ms: Readonly<Record<Part, number>>;
  readonly use: SlotUse;
  /** When the last task would have been done with all slots from the start. */
  readonly doneWithAllAt: number;
}

/** What is taken apart. */
export interface UsualTime {
  readonly timing: Timing;
  /** With this timing, and the slots of the record. */
  readonly scheduled: Scheduled;
  readonly usualMs: number;
  readonly idle: Idle;
  readonly asRan: AsRan;
}

/** The recorded attempts, had all slots been there from the start. */
export interface AsRan {
  readonly gainMs: number;
  readonly doneAt: number;
  /** The plan with all slots from the start; the plan itself if its slots are not recorded. */
  readonly whole: Plan;
  readonly peaks: readonly number[];
}

export function asRanWithAll(plan: Plan, timing: Timing): AsRan {
  const peaks = peaksOf(plan);
  const whole = plan.pools.isRecorded ? { ...plan, pools: allAtOnce(peaks) } : plan;
  const { doneAt } = schedule(whole, timing);
  return { gainMs: schedule(plan, timing).doneAt - doneAt, doneAt, whole, peaks };
}

/**
 * Takes the usual time apart: T(1), in which no attempt is late. First it runs with as many slots
 * from the start as there ever were at once: what it gains is the time that it waited for slots.
 * Then the times are counted in which nothing runs, and those in which slots are idle.
 */
export function partsOf(
  plan: Plan,
  { timing, scheduled: late, usualMs, idle, asRan }: UsualTime,
): Parts {
  const { job, pools } = plan;
  const { whole, peaks } = asRan;
  const all = whole === plan ? late : schedule(whole, timing);
  // A list schedule may take longer with more slots.
  const usualGain = late.doneAt - all.doneAt;
  const gain = Math.min(usualGain, asRan.gainMs);
  const taken = gain > 0 ? all : late;
  const from = job.submittedAt;
  const until = from + Math.max(0, usualMs - (gain > 0 ? usualGain : 0));
  const use = slotUse(plan, taken, peaks, { from, until });
  const sum = (ms: Float64Array): number => ms.reduce((total, each) => total + each, 0);
  const [work, gathering] = [sum(use.workMs), sum(use.gatheringMs)];
  const lateSlotsMs = Math.max(0, Math.min(gain, usualMs - (until - from)));
  // Attempts as they were fill the slots less evenly than typical ones.
  const unevenMs = Math.max(0, usualMs - (until - from)) - lateSlotsMs;
  let rest = Math.max(0, until - from - use.busyMs);
  const take = (ms: number): number => {
    const part = Math.min(ms, rest);
    rest -= part;
    return part;
  };
  // The record's own idle times come first: they are what a user can see.
  const driver = take(lengthOf(idle.driver) + fetchedMoreMs(plan, taken, { from, until }));
  const noSlot = pools.isRecorded ? 0 : take(lengthOf(idle.noSlot));
  const ms = {
    work,
    "few-tasks": use.busyMs - work - gathering + unevenMs,
    launching: rest,
    "no-slot": noSlot + lateSlotsMs + gathering,
    driver,
  };
  return { ms, use, doneWithAllAt: asRan.doneAt };
}

/** How much longer a result was fetched while nothing ran than it was in the record. */
function fetchedMoreMs(plan: Plan, taken: Times, usual: Window): number {
  const { submittedAt: from, endedAt: until } = plan.job;
  const more = fetchedAloneMs(plan, taken, usual) - fetchedAloneMs(plan, plan, { from, until });
  return Math.max(0, more);
}

type Times = Pick<Plan, "start" | "end">;
interface Window {
  readonly from: number;
  readonly until: number;
}

function fetchedAloneMs(
  { resultMs }: Plan,
  { start, end }: Times,
  { from, until }: Window,
): number {
  if (resultMs.every((ms) => ms === 0)) return 0;
  const resultAt = end.map((at, i) => at - cell(resultMs[i]));
  return lengthOf(both(union(resultAt, end), outside(union(start, resultAt), from, until)));
}

/** The most slots of each pool at once, before the job ended. */
export const peaksOf = ({ job, pools }: Plan): readonly number[] =>
  pools.from.map((from, pool) => {
    const until = cell(pools.until[pool]);
    const spans = Array.from(from, (at, slot) => ({ from: at, until: cell(until[slot]) }));
    return mostAtOnce(spans, job.endedAt);
  });

/** So many slots of each pool, for all time. */
export function allAtOnce(peaks: readonly number[]): SlotPools {
  const from = peaks.map((count) => new Float64Array(count).fill(Number.NEGATIVE_INFINITY));
  const until = peaks.map((count) => new Float64Array(count).fill(Number.POSITIVE_INFINITY));
  return { from, until, lastsTo: until, isRecorded: true };
}
