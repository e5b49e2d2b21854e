import { exp } from "../../../base/math.ts";
import type { Instant, NodeId } from "../../../model/ids.ts";

/** The outputs that a machine has written and lost; older ones count less. */
interface Account {
  written: number;
  lost: number;
  at: Instant;
}

/** Plain data. */
export type Losses = Map<NodeId, Account>;

export function countWritten(losses: Losses, node: NodeId, now: Instant, memoryMs: number): void {
  accountOf(losses, node, now, memoryMs).written++;
}

export function countLost(losses: Losses, node: NodeId, now: Instant, memoryMs: number): void {
  accountOf(losses, node, now, memoryMs).lost++;
}

/**
 * An unknown machine counts as one that has written this many outputs and lost them at the prior
 * rate.
 */
const PRIOR_OUTPUTS = 10;

/** §5.3: r, the probability that an output of the machine will be lost. */
export function lossProbability(losses: Losses, node: NodeId, prior: number): number {
  const { written, lost } = losses.get(node) ?? NOTHING;
  return Math.min(1, (lost + prior * PRIOR_OUTPUTS) / (written + PRIOR_OUTPUTS));
}

const NOTHING = { written: 0, lost: 0 };

function accountOf(losses: Losses, node: NodeId, now: Instant, memoryMs: number): Account {
  let account = losses.get(node);
  if (account === undefined) {
    account = { written: 0, lost: 0, at: now };
    losses.set(node, account);
  }
  const kept = exp((account.at - now) / memoryMs);
  account.written *= kept;
  account.lost *= kept;
  account.at = now;
  return account;
}
