import { calledBy } from "../run/call-place.ts";
import type { WhyDocument, WhyOptions } from "./explain.ts";
import type { History } from "./history.ts";

/**
 * Explains why a past job was late, in milliseconds of its response time for each cause. Rejects
 * with an InputError if there is no such history, or nothing in it to explain.
 *
 *     const { verdict, delayMs, causes } = await why("/tmp/spark-events/app-20261122-0001");
 */
export const why = (history: History, options: WhyOptions = {}): Promise<WhyDocument> =>
  calledBy(why, async () => {
    const { explain } = await import("./explain.ts");
    return explain(history, options);
  });
