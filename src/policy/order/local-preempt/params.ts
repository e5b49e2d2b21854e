import { type ParamsOf, params } from "../../params.ts";

export const PARAMS = params({
  /** Milliseconds. Ours, as in `local-failed-first`. */
  waitMs: {
    default: 15_000,
    about: "how long a failed task waits for a slot beside its data (ours, ms)",
  },
  /** A factor. Ours: §6 names "wasting previous work" as the drawback of a kill. */
  worth: {
    default: 1,
    about: "a kill must save this many times the work that it wastes (ours)",
  },
  /** A share. Ours: §6 says only that shorter tasks can pre-empt a longer one. */
  shortShare: {
    default: 0.25,
    max: 1,
    about: "a task is short that takes less than this share of an attempt's time left; 0: none is",
  },
  /** A count. Ours: it bounds the number of kills, so that no task is killed for ever. */
  yieldsMax: {
    default: 1,
    max: Number.POSITIVE_INFINITY,
    whole: true,
    about: "how often a task may be pre-empted, by any policy, before it is left alone (ours)",
  },
  /** Milliseconds. Hadoop's heartbeat. */
  lookMs: {
    default: 3_000,
    min: 1,
    about: "time between two looks while a task waits; a slot that comes sooner is waited for (ms)",
  },
});

export type LocalPreemptParams = ParamsOf<typeof PARAMS>;
