/**
 * One run of W1 in a separate process: `node w1-run.js SIZE MODE` prints its measurements. The mode
 * `journal` is `full` with every line of the journal made, and written nowhere.
 */
import { journalWriter } from "../../src/core/journal/index.ts";
import { parseDiscipline } from "../../src/policy/discipline.ts";
import { usage } from "../measure.ts";
import { Allocations } from "./allocations.ts";
import { runW1, sizeOf, type W1Listeners } from "./w1-model.ts";

const [sizeName, mode] = process.argv.slice(2);
const size = sizeOf(sizeName);
const discipline = parseDiscipline("none,sharing=fifo-plain");
const listeners = mode === "journal" ? journal() : {};
const allocations = new Allocations();
const result =
  mode === "kernel"
    ? runW1(size, { mode })
    : runW1(size, { mode: "full", discipline, ...listeners });

const allocatedBytes = allocations.stop();
console.log(JSON.stringify({ ...result, allocatedBytes, ...usage() }));

function journal(): W1Listeners {
  let writer: ReturnType<typeof journalWriter> | undefined;
  return {
    onStart: ({ setup }) => {
      writer = journalWriter(setup);
    },
    onStep: (event, actions) => {
      writer?.step(event, actions);
    },
  };
}
