import { assert } from "../../base/assert.ts";
import { ascending } from "../../base/order.ts";
import { mean } from "../../base/stats.ts";

/** What an oracle knows about a phase; the phases of a job follow one another. */
export interface OraclePhase {
  /** The time of each task on a node of factor 1. */
  readonly taskMs: readonly number[];
}

/** One slot, on a node that is `factor` times slower than normal. */
export interface OracleSlot {
  readonly factor: number;
}

/**
 * A lower bound of the makespan: a phase takes at least its work shared over all slots at their
 * speeds, at least its longest task on the fastest slot, and at least the time that the slots need
 * for as many whole tasks of its shortest time. With work drawn per attempt a lucky copy may beat
 * the bound.
 */
export function makespanLowerBound(
  phases: readonly OraclePhase[],
  slots: readonly OracleSlot[],
): number {
  assert(slots.length > 0, "somewhere to run");
  let speed = 0;
  let fastest = 0;
  for (const { factor } of slots) {
    speed += 1 / factor;
    fastest = Math.max(fastest, 1 / factor);
  }
  let bound = 0;
  for (const { taskMs } of phases) {
    let work = 0;
    let longest = 0;
    let shortest = Number.POSITIVE_INFINITY;
    for (const ms of taskMs) {
      work += ms;
      longest = Math.max(longest, ms);
      shortest = Math.min(shortest, ms);
    }
    const whole = taskMs.length === 0 ? 0 : shortest * wholeRounds(taskMs.length, slots);
    bound += Math.max(work / speed, longest / fastest, whole);
  }
  return bound;
}

/**
 * The earliest time at which this many tasks of 1 ms are done: the next task always goes where it
 * ends first. COST: O(tasks * different factors).
 */
function wholeRounds(tasks: number, slots: readonly OracleSlot[]): number {
  const alike = new Map<number, { rounds: number; slots: number }>();
  for (const { factor } of slots) {
    const same = alike.get(factor) ?? { rounds: 0, slots: 0 };
    same.slots += 1;
    alike.set(factor, same);
  }
  let endMs = 0;
  for (let left = tasks; left > 0; ) {
    endMs = Number.POSITIVE_INFINITY;
    for (const [factor, { rounds }] of alike) endMs = Math.min(endMs, (rounds + 1) * factor);
    for (const [factor, same] of alike) {
      if ((same.rounds + 1) * factor > endMs) continue;
      same.rounds += 1;
      left -= same.slots;
    }
  }
  return endMs;
}

/**
 * Mantri §6.1's NoSkew: all tasks of a phase take the same time, here their mean, on slots of equal
 * speed: whole waves of each phase.
 */
export function noSkewMakespan(phases: readonly OraclePhase[], slots: number): number {
  return waves(phases, slots, (taskMs) => taskMs);
}

/** NoSkew + ChopTail: the mean leaves out the longest quarter of each phase's times. */
export function chopTailMakespan(phases: readonly OraclePhase[], slots: number): number {
  return waves(phases, slots, (taskMs) => {
    const rising = taskMs.toSorted(ascending((ms) => ms));
    return rising.slice(0, Math.max(1, Math.ceil(0.75 * rising.length)));
  });
}

function waves(
  phases: readonly OraclePhase[],
  slots: number,
  counted: (taskMs: readonly number[]) => readonly number[],
): number {
  let makespan = 0;
  for (const { taskMs } of phases) {
    if (taskMs.length > 0) makespan += Math.ceil(taskMs.length / slots) * mean(counted(taskMs));
  }
  return makespan;
}

/** The map output of a rack, and the capacity of the rack's links. */
export interface OracleRack {
  readonly outputBytes: number;
  readonly upBytesPerMs: number;
  readonly downBytesPerMs: number;
}

/**
 * No placement of equal reduces moves the maps' outputs sooner over the racks' links (Mantri §5.2):
 * if a share f of the reduces runs in a rack, the rack sends 1 - f of its own outputs and receives
 * f of the others'. The shares that a time allows form a range for each rack; the least time for
 * which the shares can sum to 1 is the bound, here to one part in 10⁹ and no finer than 10⁻⁹ ms.
 */
export function shuffleLowerBoundMs(racks: readonly OracleRack[]): number {
  const all = racks.reduce((bytes, { outputBytes }) => bytes + outputBytes, 0);
  const isPossible = (ms: number): boolean => {
    let least = 0;
    let most = 0;
    for (const { outputBytes, upBytesPerMs, downBytesPerMs } of racks) {
      const low = outputBytes === 0 ? 0 : Math.max(0, 1 - (ms * upBytesPerMs) / outputBytes);
      const others = all - outputBytes;
      const high = others === 0 ? 1 : Math.min(1, (ms * downBytesPerMs) / others);
      if (low > high) return false;
      least += low;
      most += high;
    }
    return least <= 1 && most >= 1;
  };
  if (isPossible(0)) return 0;
  let high = 1;
  while (!isPossible(high)) high *= 2;
  let low = 0;
  while (high - low > Math.max(high, 1) * 1e-9) {
    const middle = (low + high) / 2;
    if (isPossible(middle)) high = middle;
    else low = middle;
  }
  return low;
}
