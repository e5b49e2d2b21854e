import { wasTriedBefore } from "../../model/tried-before.ts";
import { type ParamsOf, params } from "../params.ts";
import type { TaskOrder } from "../policy.ts";
import {
  HEARS_LOSSES,
  isNearOrLate,
  type Losses,
  noLosses,
  triedFirst,
} from "../shared/near-data.ts";

const PARAMS = params({
  /** Milliseconds. Ours. */
  waitMs: {
    default: 15_000,
    about: "how long a failed task waits for a slot beside its data (ours, ms)",
  },
});

export type LocalFailedFirstParams = ParamsOf<typeof PARAMS>;

/**
 * The order that the Elephant paper argues for (§6, §7): Hadoop launches a failed task on the first
 * free slot wherever it is, and pays for that on the network. Here a failed task comes first too,
 * but for a while only where its data are.
 */
export const localFailedFirst: TaskOrder<LocalFailedFirstParams, Losses> = {
  name: "local-failed-first",
  source: "after Ibrahim, Phuong, Antoniu, An Eye on the Elephant in the Wild (2015), §6",
  params: PARAMS,
  needs: [],
  remember: noLosses,
  hears: HEARS_LOSSES,

  freshByIndex: true,

  key: ({ view }, task) => triedFirst(view, task),

  // A failed task comes first wherever it is eligible: at once beside its data, elsewhere after its
  // wait.
  ignoresLocality: ({ view }, task) => wasTriedBefore(view, task),

  eligible: isNearOrLate,
};
