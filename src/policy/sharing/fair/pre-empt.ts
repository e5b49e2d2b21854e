import { defined } from "../../../base/assert.ts";
import { descending } from "../../../base/order.ts";
import type { Ask } from "../../../model/action.ts";
import type { Attempt } from "../../../model/attempt.ts";
import { after, type SlotKind } from "../../../model/ids.ts";
import { type FairContext, type PoolClaim, poolClaims } from "./claims.ts";
import { allocationsOf } from "./memory.ts";
import { poolNamed } from "./pools.ts";
import {
  fairShares,
  isBelowHalf,
  isBelowMinShare,
  shortOfFairShare,
  shortOfMinShare,
} from "./shares.ts";

/** A pool's claim with its fair share. */
export interface PoolShare extends PoolClaim {
  readonly fairShare: number;
}

export function poolShares(ctx: FairContext, kind: SlotKind): readonly PoolShare[] {
  const claims = poolClaims(ctx, kind);
  const shares = fairShares(claims, ctx.view.slots(kind));
  return claims.map((claim, index) => ({
    ...claim,
    fairShare: defined(shares[index], "a pool's fair share"),
  }));
}

/** How long a pool may be below its minimum share, and below half of its fair share. */
function timeoutsOf(
  { memory, params }: Pick<FairContext, "memory" | "params">,
  pool: string,
): { readonly minShareMs: number; readonly fairShareMs: number } {
  const { minSharePreemptionTimeoutMs } = poolNamed(allocationsOf(memory, params), pool);
  return {
    minShareMs: minSharePreemptionTimeoutMs ?? params.minSharePreemptionTimeoutMs,
    fairShareMs: params.fairSharePreemptionTimeoutMs,
  };
}

/** Hadoop 1.2.1, updatePreemptionVariables: notes when each pool last had its due shares. */
export function noteShares(
  { memory, view }: FairContext,
  kind: SlotKind,
  shares: readonly PoolShare[],
): void {
  for (const share of shares) {
    const pool = memory.pools.get(share.pool);
    if (pool === undefined) continue;
    if (!isBelowMinShare(share)) pool.atMinShare[kind] = view.now;
    if (!isBelowHalf(share, share.fairShare)) pool.atHalfShare[kind] = view.now;
  }
}

/** Whether a pool has been below its minimum share, or half of its fair share, for too long. */
export function starving(
  ctx: Pick<FairContext, "memory" | "params" | "view">,
  { pool, kind }: { readonly pool: string; readonly kind: SlotKind },
): { readonly ofMinShare: boolean; readonly ofHalfShare: boolean } {
  const { now } = ctx.view;
  const record = ctx.memory.pools.get(pool);
  const { minShareMs, fairShareMs } = timeoutsOf(ctx, pool);
  return {
    ofMinShare: now > after(record?.atMinShare[kind] ?? now, minShareMs),
    ofHalfShare: now > after(record?.atHalfShare[kind] ?? now, fairShareMs),
  };
}

/** Hadoop 1.2.1, tasksToPreempt: the slots for which a pool has waited too long. */
function dueTo(ctx: FairContext, kind: SlotKind, share: PoolShare): number {
  const { pool, fairShare } = share;
  const { ofMinShare, ofHalfShare } = starving(ctx, { pool, kind });
  const ofMin = ofMinShare ? shortOfMinShare(share) : 0;
  const ofFair = ofHalfShare ? shortOfFairShare(share, fairShare) : 0;
  return Math.max(ofMin, ofFair);
}

/**
 * Hadoop 1.2.1, preemptTasks: kills the attempts launched last in pools with more than their fair
 * share; no pool falls below its fair share.
 */
export function preempt(
  ctx: FairContext,
  kind: SlotKind,
  shares: readonly PoolShare[],
): readonly Ask[] {
  let due = 0;
  for (const share of shares) due += dueTo(ctx, kind, share);
  if (due === 0) return [];
  const shareOf = new Map(shares.map((share) => [share.pool, share.fairShare]));
  const held = holders(ctx, kind);
  const left = new Map<string, number>();
  for (const { pool } of held) left.set(pool, (left.get(pool) ?? 0) + 1);
  const asks: Ask[] = [];
  for (const { attempt, pool } of held) {
    if (asks.length === due) break;
    const fairShare = shareOf.get(pool) ?? 0;
    const running = defined(left.get(pool), "a pool that holds slots");
    if (running <= fairShare) continue;
    left.set(pool, running - 1);
    const why = { rule: "over-fair-share", numbers: { pool, running, fairShare, due } };
    asks.push({ kind: "kill", attempt: attempt.id, then: "requeue", why });
  }
  return asks;
}

interface Holder {
  readonly attempt: Attempt;
  readonly pool: string;
}

/** Attempts that hold a slot of the kind, including those being killed; launched last, first. */
function holders({ memory, view }: FairContext, kind: SlotKind): readonly Holder[] {
  const held: Holder[] = [];
  for (const one of view.pools()) {
    for (const attempt of view.newestFirst(one, kind)) {
      const pool = memory.jobs.get(view.jobOf(view.task(attempt.task).phase).id)?.pool;
      if (pool !== undefined) held.push({ attempt, pool });
    }
  }
  return held.sort(LATEST_FIRST);
}

const LATEST_FIRST = descending<Holder>(
  ({ attempt }) => attempt.launchedAt,
  descending(({ attempt }) => attempt.id),
);
