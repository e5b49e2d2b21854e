/** One run of W1 in a separate process: `node w1-run.js SIZE MODE` prints its measurements. */
import { parseDiscipline } from "../src/policy/discipline.ts";
import { Allocations } from "./allocations.ts";
import { usage } from "./measure.ts";
import { runW1, W1_SIZES } from "./w1-model.ts";

const [sizeName, mode] = process.argv.slice(2);
const [, size] = Object.entries(W1_SIZES).find(([name]) => name === sizeName) ?? [];
if (size === undefined) throw new Error(`no size ${sizeName}`);

const allocations = new Allocations();
const result =
  mode === "kernel"
    ? runW1(size, { mode })
    : runW1(size, { mode: "full", discipline: parseDiscipline("none,sharing=fifo-plain") });

const allocatedBytes = allocations.stop();
console.log(JSON.stringify({ ...result, allocatedBytes, ...usage() }));
