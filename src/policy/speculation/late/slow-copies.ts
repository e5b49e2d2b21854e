import { isClearlyBelow } from "../../../base/clearly-below.ts";
import { leastFirst } from "../../../base/on-paper.ts";
import { ascending } from "../../../base/order.ts";
import type { Attempt } from "../../../model/attempt.ts";
import { after, type Instant, type NodeId, type PhaseId } from "../../../model/ids.ts";
import { isUnended } from "../../../model/sole-attempt.ts";
import { mayBeCopiedTo } from "../../../model/tried-before.ts";
import type { Context } from "../../policy.ts";

/**
 * §4: "more than one speculative copy of each task". The tasks of the phase that have copies, fewer
 * than `copiesMax`, of which each attempt meets the conditions of a first copy: it has run for a
 * minute and its rate is below SlowTaskThreshold. A task ends with the first of its attempts, so
 * each task is given as its attempt with the least time left. COST: O(copies of the phase).
 */
export function slowCopies(
  { estimate, params, view }: Pick<SlowCopyContext, "estimate" | "params" | "view">,
  { phase, node, slowTaskPerMs }: { phase: PhaseId; node: NodeId; slowTaskPerMs: number },
): readonly Attempt[] {
  const isSlow = ({ id, startedAt, state }: Attempt): boolean =>
    state === "running" &&
    !isYoung(view.now, startedAt, params.runtimeMsMin) &&
    isClearlyBelow(view.rate(id), slowTaskPerMs);
  const soonestFirst = leastFirst<Attempt>(
    ({ id }) => estimate.timeLeft(id),
    ascending(({ id }) => id),
  );
  return [...view.speculated(phase)].flatMap(({ id: task }) => {
    const attempts = view.attemptsOf(task).filter(isUnended);
    const copies = attempts.filter(({ as }) => as === "speculative").length;
    if (copies >= params.copiesMax || !attempts.every(isSlow)) return [];
    if (!mayBeCopiedTo(view, task, node)) return [];
    return attempts.sort(soonestFirst).slice(0, 1);
  });
}

type SlowCopyContext = Context<{ readonly copiesMax: number; readonly runtimeMsMin: number }, null>;

/** §4: not yet a minute old. An attempt that has run for no time has no rate at all. */
export const isYoung = (
  now: Instant,
  startedAt: Instant | undefined,
  runtimeMsMin: number,
): boolean => startedAt === undefined || now <= startedAt || now < after(startedAt, runtimeMsMin);
