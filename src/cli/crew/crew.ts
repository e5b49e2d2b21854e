import { Worker } from "node:worker_threads";
import type { Json } from "../../base/json.ts";
import type { UnitAnswer, UnitOrder } from "./worker.ts";

export interface CrewOptions {
  readonly workers: number;
  readonly signal: AbortSignal;
  readonly onOutcome: (order: UnitOrder, outcome: Json, ms: number) => void;
}

/** A unit failed to run: a bug of ours or of the data. */
export class UnitFailed extends Error {}

/**
 * Works through the orders on several threads, each of which takes the next order when it is free.
 * Resolves when all are done, or when the signal has stopped them; rejects with the first unit's
 * failure.
 */
export async function workThrough(
  orders: readonly UnitOrder[],
  options: CrewOptions,
): Promise<void> {
  const { signal } = options;
  const stopped = new Promise<void>((resolve) => {
    signal.addEventListener("abort", () => resolve(), { once: true });
    if (signal.aborted) resolve();
  });
  const crew = Array.from(
    { length: Math.min(options.workers, orders.length) },
    () => new Worker(new URL("./worker.js", import.meta.url)),
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
function workOff(
  worker: Worker,
  queue: IterableIterator<UnitOrder>,
  { onOutcome, signal }: CrewOptions,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let order: UnitOrder | undefined;
    const goOn = (): void => {
      order = signal.aborted ? undefined : queue.next().value;
      if (order === undefined) resolve();
      else worker.postMessage(order);
    };
    worker.on("error", reject);
    worker.on("message", (answer: UnitAnswer) => {
      if (order === undefined) return;
      if ("error" in answer) {
        reject(new UnitFailed(`${order.experiment}, unit ${order.unit.key}: ${answer.error}`));
        return;
      }
      onOutcome(order, answer.outcome, answer.ms);
      goOn();
    });
    goOn();
  });
}
