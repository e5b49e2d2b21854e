import { grouped } from "../../base/grouped.ts";
import { ascending } from "../../base/order.ts";
import { cell } from "../../base/rows.ts";
import type { SlotSpan } from "../../history/model.ts";
import { attemptsOf, endOf, type PlannedAttempts } from "./planned.ts";

/** The slots of a job as they are for other times than the recorded ones. */
export interface LastingSlots {
  readonly slots: readonly (SlotSpan & { readonly lastsTo: number })[];
  /** Of each attempt: as in the plan. */
  readonly takesSlot: Float64Array;
  /** As in the plan. */
  readonly replacing: ReadonlySet<number>;
}

/** The end of an executor and those of the attempts on it are noticed within this time. */
const NOTICED_MS = 1_000;

/**
 * When each slot ends. A slot that a lost attempt held goes with that attempt, whenever that is:
 * without the attempt, it would not be there for the next one either. The slot of a new executor
 * that takes the place of the lost one is the same slot, back after a while: without the loss, it
 * would have been there all the time.
 */
export function lastingSlots(plan: PlannedAttempts): LastingSlots {
  const { slots } = plan.job;
  const takesSlot = new Float64Array(plan.count);
  const heldBy = holdersOf(plan);
  const successors = successorsOf(plan, new Set(heldBy.keys()));
  const isSuccessor = new Set(successors.values());
  for (const [nth, i] of heldBy) {
    const next = slots[successors.get(nth) ?? -1];
    const lasted = Math.max(1, cell(plan.end[i]) - cell(plan.start[i]));
    const goneMs = next === undefined ? Number.POSITIVE_INFINITY : next.from - cell(plan.end[i]);
    takesSlot[i] = Math.max(0, goneMs) / lasted;
  }
  const lasting = [...slots.entries()].flatMap(([nth, { until, ...slot }]) => {
    if (isSuccessor.has(nth)) return [];
    const next = slots[successors.get(nth) ?? -1];
    const end = next === undefined ? until : next.until;
    const recorded = end === undefined ? {} : { until: end };
    const isHeld = heldBy.has(nth) && next === undefined;
    const lastsTo = isHeld ? Number.POSITIVE_INFINITY : (end ?? Number.POSITIVE_INFINITY);
    return [{ ...slot, ...recorded, lastsTo }];
  });
  const replacing = new Set(Array.from(isSuccessor, (nth) => cell(slots[nth]).executor));
  return { slots: lasting, takesSlot, replacing };
}

/** The slots that went with an attempt on them, and that attempt. */
function holdersOf(plan: PlannedAttempts): ReadonlyMap<number, number> {
  const { slots } = plan.job;
  const heldBy = new Map<number, number>();
  const ofExecutor = grouped([...slots.keys()], (nth) => cell(slots[nth]).executor);
  for (let i = 0; i < plan.count && slots.length > 0; i++) {
    if (endOf(plan, i) !== "lost") continue;
    const executor = cell(attemptsOf(plan, i).executor[cell(plan.row[i])]);
    const own = (executor < 0 ? [] : (ofExecutor.get(executor) ?? [])).find((nth) => {
      const { until = Number.POSITIVE_INFINITY } = cell(slots[nth]);
      return !heldBy.has(nth) && Math.abs(until - cell(plan.end[i])) <= NOTICED_MS;
    });
    if (own !== undefined) heldBy.set(own, i);
  }
  return heldBy;
}

/** The slot of a new executor that comes next takes the place of the slot that was lost first. */
function successorsOf(
  { job: { slots } }: PlannedAttempts,
  lost: ReadonlySet<number>,
): ReadonlyMap<number, number> {
  const endOfSlot = (nth: number): number => cell(slots[nth]).until ?? Number.POSITIVE_INFINITY;
  const gone = [...lost].sort(
    ascending(
      endOfSlot,
      ascending((nth) => nth),
    ),
  );
  const coming = [...slots.keys()].sort(
    ascending(
      (nth) => cell(slots[nth]).from,
      ascending((nth) => nth),
    ),
  );
  const found = new Map<number, number>();
  const taken = new Set<number>();
  for (const nth of gone) {
    const own = cell(slots[nth]);
    const next = coming.find((other) => {
      const { kind, profile, executor, from } = cell(slots[other]);
      const isAlike = kind === own.kind && profile === own.profile && executor !== own.executor;
      return isAlike && !taken.has(other) && from >= endOfSlot(nth) - NOTICED_MS;
    });
    if (next === undefined) continue;
    found.set(nth, next);
    taken.add(next);
  }
  return found;
}
