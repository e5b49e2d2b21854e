import { parentPort } from "node:worker_threads";
import { planWorld } from "../../../src/testing/plan.ts";
import { BrokenWorld, runWorld } from "../run-world.ts";
import { howWorldBreaks, shrink } from "../shrink.ts";

export type Order =
  | { readonly kind: "run"; readonly first: number; readonly count: number; readonly every: number }
  | { readonly kind: "shrink"; readonly seed: number; readonly forMs: number };

export type Answer =
  | {
      readonly kind: "kept";
      readonly first: number;
      readonly count: number;
      readonly steps: number;
    }
  | { readonly kind: "broken"; readonly seed: number; readonly message: string }
  | {
      readonly kind: "shrunk";
      readonly cuts: readonly string[];
      readonly message: string;
      readonly journal: readonly string[];
    };

const answer = (message: Answer): void => parentPort?.postMessage(message);

function run({ first, count, every }: Extract<Order, { kind: "run" }>): Answer {
  let steps = 0;
  for (let seed = first; seed < first + count; seed++) {
    try {
      steps += runWorld(seed, { isReplayed: seed % every === 0 }).steps;
    } catch (error) {
      if (!(error instanceof BrokenWorld)) throw error;
      return { kind: "broken", seed, message: error.message };
    }
  }
  return { kind: "kept", first, count, steps };
}

parentPort?.on("message", (order: Order) => {
  if (order.kind === "run") return answer(run(order));
  const { seed, forMs } = order;
  const shrunk = shrink(planWorld(seed), howWorldBreaks(seed), performance.now() + forMs);
  const { message = "it does not break when it runs alone", journal = [] } = shrunk?.broken ?? {};
  answer({ kind: "shrunk", cuts: shrunk?.cuts ?? [], message, journal });
});
