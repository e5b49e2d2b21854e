import type { Job } from "../../model/job.ts";
import type { View } from "../../model/view.ts";
import { type ParamsOf, params } from "../params.ts";
import type { DetectionPolicy } from "../policy.ts";

const PARAMS = params({
  share: {
    default: 0.2,
    about:
      "silence that loses a node, as a share of the time left of the job that ends next (ours)",
  },
  /** Milliseconds. Hadoop 1.2.1's fixed expiry is 600,000. */
  expiryMs: {
    default: 600_000,
    about: "most silence until a node is lost (Hadoop's fixed expiry, 600,000 ms)",
  },
  /** Milliseconds: with a shorter expiry, a long pause would pass for a death. */
  expiryMsMin: { default: 30_000, about: "least silence until a node is lost (ours, 30,000 ms)" },
});

export type AdaptiveExpiryParams = ParamsOf<typeof PARAMS>;

/**
 * A node is lost after a silence that depends on how much work the live jobs have left: ten minutes
 * are many times the length of a small job, and little to a large one. The idea is Zhu and Chen's
 * (Adaptive failure detection via heartbeat under Hadoop, APSCC 2011; Elephant §6). Their formulas
 * are not in our sources, so the rule is ours.
 */
export const adaptiveExpiry: DetectionPolicy<AdaptiveExpiryParams, null> = {
  name: "adaptive-expiry",
  source: "after Zhu, Chen (APSCC 2011), as described in Elephant §6; the rule is ours",
  params: PARAMS,
  needs: [],
  remember: () => null,

  // COST: O(live jobs) per step while a node is silent.
  expiry({ params, view }, node) {
    const since = view.silentSince(node) ?? view.now;
    let left = Number.POSITIVE_INFINITY;
    for (const job of view.jobs()) left = Math.min(left, leftAt(view, job, since));
    const adapted = Math.ceil(params.share * left);
    return Math.min(params.expiryMs, Math.max(params.expiryMsMin, adapted));
  },
};

/**
 * The time that a job running at `at` would still have needed then, if it continues to finish tasks
 * at its rate so far; Infinity before a task is done. Tasks done until now count, so the answer
 * only shrinks.
 */
function leftAt(view: View, { id, phases }: Job, at: number): number {
  const admittedAt = view.admittedAt(id) ?? at;
  let tasks = 0;
  let done = 0;
  for (const phase of phases) {
    tasks += phase.tasks.length;
    done += view.counts(phase.id).done;
  }
  return timeLeft({ elapsedMs: at - admittedAt, tasks, done });
}

/**
 * The time left of a job that was admitted before the silence; for another job there is no
 * estimate.
 */
export function timeLeft(of: {
  readonly elapsedMs: number;
  readonly tasks: number;
  readonly done: number;
}): number {
  if (of.elapsedMs <= 0 || of.done === 0) return Number.POSITIVE_INFINITY;
  return (of.elapsedMs * (of.tasks - of.done)) / of.done;
}
