import { parentPort } from "node:worker_threads";
import { type ThreadError, threadErrorOf } from "./thread-error.ts";

/** What a thread reports about an order: now and then its progress, from 0 to 1, and its answer. */
export type Answer<Outcome> =
  | { readonly share: number }
  | { readonly outcome: Outcome; readonly ms: number }
  | { readonly error: ThreadError };

const TELL_EVERY_MS = 100;

/**
 * In a thread of a crew: answers each order with its outcome, plain data. A long order may report
 * its progress.
 */
export function answerOrders<Order, Outcome>(
  outcomeOf: (order: Order, onShare: (done: number) => void) => Outcome | Promise<Outcome>,
): void {
  const answer = (message: Answer<Outcome>): void => parentPort?.postMessage(message);
  let reportedAt = performance.now();
  const onShare = (share: number): void => {
    if (performance.now() - reportedAt < TELL_EVERY_MS) return;
    reportedAt = performance.now();
    answer({ share });
  };
  parentPort?.on("message", async (order: Order) => {
    const begun = performance.now();
    try {
      const outcome = await outcomeOf(order, onShare);
      answer({ outcome, ms: performance.now() - begun });
    } catch (error) {
      answer({ error: threadErrorOf(error) });
    }
  });
}
