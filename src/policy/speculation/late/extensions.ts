import { isClearlyBelow } from "../../../base/clearly-below.ts";
import { leastFirst } from "../../../base/on-paper.ts";
import type { Attempt } from "../../../model/attempt.ts";
import type { NodeId, PhaseId } from "../../../model/ids.ts";
import { isUnended } from "../../../model/sole-attempt.ts";
import { mayBeCopiedTo } from "../../../model/tried-before.ts";
import type { Context } from "../../policy.ts";
import { type Condition, fulfils } from "../../shared/first-copy.ts";
import type { LateParams } from "./params.ts";

type LateContext = Pick<Context<LateParams, null>, "estimate" | "params" | "view">;

/**
 * §4: "LATE does not take into account data locality ..., although this is a potential extension".
 * Whether an attempt has almost as long left as the longest; never if locality is ignored.
 */
export function isAlmostAsLong(
  { nearerWithin }: Pick<LateParams, "nearerWithin">,
  leftMs: number,
  longestMs: number,
): boolean {
  if (nearerWithin === 0) return false;
  return !isClearlyBelow(leftMs, nearerWithin < 1 ? (1 - nearerWithin) * longestMs : 0);
}

/**
 * §4: "more than one speculative copy of each task". The tasks of the phase that have copies, fewer
 * than `copiesMax`, of which each attempt fulfils the conditions of a first copy. A task ends with
 * the first of its attempts, so each task is given as its attempt with the least time left. COST:
 * O(copies of the phase), if a task may have several.
 */
export function furtherCopies(
  { estimate, params, view }: LateContext,
  { phase, node, only }: { phase: PhaseId; node: NodeId; only: readonly Condition[] },
): readonly Attempt[] {
  if (params.copiesMax === 1) return [];
  const isSlow = fulfils(view, only);
  const soonestFirst = leastFirst<Attempt>(
    ({ id }) => estimate.timeLeft(id),
    ({ id }) => id,
  );
  return [...view.speculated(phase)].flatMap(({ id: task }) => {
    const attempts = view.attemptsOf(task).filter(isUnended);
    const copies = attempts.filter(({ as }) => as === "speculative").length;
    if (copies >= params.copiesMax || !mayBeCopiedTo(view, task, node)) return [];
    if (!attempts.every((one) => one.state === "running" && isSlow(one))) return [];
    return attempts.sort(soonestFirst).slice(0, 1);
  });
}
