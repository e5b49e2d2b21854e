/** One reading of a history in a separate process: `node read-run.js FILE` prints its figures. */
import { openTrace } from "../../src/trace/open/open-trace.ts";
import { usage } from "../measure.ts";

const [file] = process.argv.slice(2);
if (file === undefined) throw new Error("expected a file");
const from = performance.now();
const trace = await openTrace(file);
const readMs = performance.now() - from;
const attempts = trace.jobs
  .flatMap(({ phases }) => phases)
  .reduce((all, phase) => all + phase.attempts.length, 0);
console.log(JSON.stringify({ readMs, attempts, ...usage() }));
