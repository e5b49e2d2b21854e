import { calledBy } from "../run/call-place.ts";
import type { History } from "./history.ts";
import type { WhatIfDocument, WhatIfOptions } from "./try-on.ts";

/**
 * Runs a past job again under other policies, in the simulator. Rejects with an InputError for a
 * history or a policy that does not exist. COST: some hundred simulations of the job, during which
 * the thread does nothing else.
 *
 *     const { verdict, advice } = await whatIf("app-20261122-0001", { advise: true });
 */
export const whatIf = (history: History, options: WhatIfOptions = {}): Promise<WhatIfDocument> =>
  calledBy(whatIf, async () => {
    const { tryOn } = await import("./try-on.ts");
    return tryOn(history, options);
  });
