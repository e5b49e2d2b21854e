import { type ParamsOf, params } from "../params.ts";
import type { Context, DetectionPolicy } from "../policy.ts";

const PARAMS = params({
  /** Milliseconds: mapred.tasktracker.expiry.interval, 600,000. */
  expiryMs: { default: 600_000, about: "silence after which a node is lost (600,000 ms)" },
  /** Milliseconds. Hadoop 1.2.1 looks once per third of the interval: 200,000. */
  checkEveryMs: {
    default: 0,
    about: "time between two looks for lost nodes; 0: found at once (Hadoop: 200,000 ms)",
  },
  /**
   * true: drawn uniformly between 0 and `checkEveryMs`, since Hadoop's JobTracker starts its looks
   * when it starts, long before the jobs arrive. false: the first look is at 0.
   */
  drawsFirstLook: {
    default: false,
    about: "whether the time of the first look is drawn, or 0 (ours)",
  },
});

export type FixedExpiryParams = ParamsOf<typeof PARAMS>;

interface Memory {
  /** The time of the first look; undefined until it matters. */
  firstLookMs: number | undefined;
}

/** A node is lost after a fixed time of silence. */
export const fixedExpiry: DetectionPolicy<FixedExpiryParams, Memory> = {
  name: "fixed-expiry",
  source: "Hadoop 1.2.1, JobTracker.ExpireTrackers",
  params: PARAMS,
  needs: [],
  remember: () => ({ firstLookMs: undefined }),

  expiry(ctx, node) {
    const { params, view } = ctx;
    const since = view.silentSince(node);
    if (since === undefined) return params.expiryMs;
    return foundAfter({ since, firstLookMs: firstLook(ctx), ...params });
  },
};

function firstLook(ctx: Context<FixedExpiryParams, Memory>): number {
  const { memory, params } = ctx;
  if (!params.drawsFirstLook || params.checkEveryMs === Number.POSITIVE_INFINITY) return 0;
  memory.firstLookMs ??= ctx.random() * params.checkEveryMs;
  return memory.firstLookMs;
}

/**
 * Milliseconds from the beginning of the silence to the look that finds the silence long enough.
 */
export function foundAfter(silence: {
  readonly since: number;
  readonly expiryMs: number;
  readonly checkEveryMs: number;
  readonly firstLookMs: number;
}): number {
  const { since, expiryMs, checkEveryMs, firstLookMs } = silence;
  if (checkEveryMs === 0) return expiryMs;
  // No look ever happens.
  if (checkEveryMs === Number.POSITIVE_INFINITY) return Number.POSITIVE_INFINITY;
  const looks = Math.ceil((since + expiryMs - firstLookMs) / checkEveryMs);
  return looks * checkEveryMs + firstLookMs - since;
}
