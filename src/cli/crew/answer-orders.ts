import { parentPort } from "node:worker_threads";
import { type ThreadError, threadErrorOf } from "./thread-error.ts";

/** A thread's answer to an order. */
export type Answer<Outcome> =
  | { readonly outcome: Outcome; readonly ms: number }
  | { readonly error: ThreadError };

/** In a thread of a crew: answers each order by its outcome, plain data. */
export function answerOrders<Order, Outcome>(
  outcomeOf: (order: Order) => Outcome | Promise<Outcome>,
): void {
  const answer = (message: Answer<Outcome>): void => parentPort?.postMessage(message);
  parentPort?.on("message", async (order: Order) => {
    const begun = performance.now();
    try {
      const outcome = await outcomeOf(order);
      answer({ outcome, ms: performance.now() - begun });
    } catch (error) {
      answer({ error: threadErrorOf(error) });
    }
  });
}
