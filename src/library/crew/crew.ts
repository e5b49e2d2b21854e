import { Worker } from "node:worker_threads";
import { aborted } from "../aborted.ts";
import type { Answer } from "./answer-orders.ts";
import { errorFrom } from "./thread-error.ts";

export interface CrewOptions<Order, Outcome> {
  /** The script of a thread, which answers orders. */
  readonly script: URL;
  /** What every thread is given at its start. */
  readonly data?: unknown;
  readonly workers: number;
  readonly signal: AbortSignal;
  /** The order's name in the error of a unit that failed. */
  readonly nameOf: (order: Order) => string;
  /** How much of an order is done, from 0 to 1, as its thread reports. */
  readonly onShare?: (order: Order, done: number) => void;
  readonly onOutcome: (order: Order, outcome: Outcome, ms: number) => void;
}

/**
 * Works through the orders on several threads, each of which takes the next order when it is free.
 * Resolves when all are done, or when the signal has stopped them; rejects with the first unit's
 * failure: a mistake of the user, or a bug of ours.
 */
export async function workThrough<Order, Outcome>(
  orders: readonly Order[],
  options: CrewOptions<Order, Outcome>,
): Promise<void> {
  const { signal, script, data } = options;
  const stopped = aborted(signal);
  const crew = Array.from(
    { length: Math.min(options.workers, orders.length) },
    () => new Worker(script, { workerData: data }),
  );
  const queue = orders.values();
  try {
    await Promise.race([
      Promise.all(crew.map((worker) => workOff(worker, queue, options))),
      stopped,
    ]);
  } finally {
    await Promise.all(crew.map((worker) => worker.terminate()));
  }
}

/** The work of one thread. */
function workOff<Order, Outcome>(
  worker: Worker,
  queue: IterableIterator<Order>,
  { onShare, onOutcome, nameOf, signal }: CrewOptions<Order, Outcome>,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let order: Order | undefined;
    const goOn = (): void => {
      order = signal.aborted ? undefined : queue.next().value;
      if (order === undefined) resolve();
      else worker.postMessage(order);
    };
    worker.on("error", reject);
    worker.on("message", (answer: Answer<Outcome>) => {
      if (order === undefined || signal.aborted) return;
      if ("share" in answer) {
        onShare?.(order, answer.share);
        return;
      }
      if ("error" in answer) {
        reject(errorFrom(answer.error, nameOf(order)));
        return;
      }
      onOutcome(order, answer.outcome, answer.ms);
      goOn();
    });
    goOn();
  });
}
