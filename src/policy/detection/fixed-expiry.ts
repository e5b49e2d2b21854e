import type { DetectionPolicy } from "../policy.ts";

export interface FixedExpiryParams {
  /** Milliseconds of silence: mapred.tasktracker.expiry.interval, 600,000. */
  readonly expiryMs: number;
  /**
   * Milliseconds between looks: the silence is found out at the next. Hadoop 1.2.1 looks every
   * third of the interval, 200,000. 0: at once.
   */
  readonly checkEveryMs: number;
}

/** A node is lost after a fixed time of silence. */
export const fixedExpiry: DetectionPolicy<FixedExpiryParams, null> = {
  name: "fixed-expiry",
  source: "Hadoop 1.2.1, JobTracker.ExpireTrackers",
  defaults: { expiryMs: 600_000, checkEveryMs: 0 },
  about: {
    expiryMs: "silence after which a node is lost (600,000 ms)",
    checkEveryMs: "time between two looks for lost nodes; 0: found at once (Hadoop: 200,000 ms)",
  },
  needs: [],
  remember: () => null,

  expiry({ params, view }, node) {
    const since = view.silentSince(node);
    return since === undefined ? params.expiryMs : foundAfter({ since, ...params });
  },
};

/** Milliseconds from the beginning of the silence to the look that finds it long enough. */
export function foundAfter(silence: FixedExpiryParams & { readonly since: number }): number {
  const { since, expiryMs, checkEveryMs } = silence;
  if (checkEveryMs === 0) return expiryMs;
  // Nobody ever looks, or nothing is ever long enough.
  if (checkEveryMs === Number.POSITIVE_INFINITY) return Number.POSITIVE_INFINITY;
  return Math.ceil((since + expiryMs) / checkEveryMs) * checkEveryMs - since;
}
