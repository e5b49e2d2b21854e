import { parentPort, workerData } from "node:worker_threads";
import { planOf } from "../plans.ts";
import { BrokenWorld, runWorld } from "../run-world.ts";
import { howWorldBreaks, shrink } from "../shrink.ts";
import { type Answer, NO_WORLD, type Order } from "./order.ts";

/** The seed of the world that this thread runs, for the main thread to see. */
const running: Float64Array = workerData;

const answer = (message: Answer): void => parentPort?.postMessage(message);

function run({ first, count, every }: Extract<Order, { kind: "run" }>): Answer {
  let steps = 0;
  for (let seed = first; seed < first + count; seed++) {
    running[0] = seed;
    try {
      steps += runWorld(seed, { isReplayed: seed % every === 0 }).steps;
    } catch (error) {
      if (!(error instanceof BrokenWorld)) throw error;
      return { kind: "broken", seed, message: error.message };
    }
  }
  running[0] = NO_WORLD;
  return { kind: "kept", first, count, steps };
}

/** A world that keeps its invariants during its run may break in its replay. */
function shrunk({ seed, forMs }: Extract<Order, { kind: "shrink" }>): Answer {
  const until = performance.now() + forMs;
  const withReplay = (isReplayed: boolean) =>
    shrink(planOf(seed), howWorldBreaks(seed, { isReplayed }), until);
  const { cuts, broken } = withReplay(false) ?? withReplay(true) ?? {};
  const { message = "the world does not break when it runs alone", journal = [] } = broken ?? {};
  return { kind: "shrunk", cuts: cuts ?? [], message, journal };
}

parentPort?.on("message", (order: Order) => {
  answer(order.kind === "run" ? run(order) : shrunk(order));
});
