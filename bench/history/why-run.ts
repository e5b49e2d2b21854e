/** One diagnosis: `node why-run.js FILE INTERVALS` reads a history and says why it was late. */
import { diagnose } from "../../src/diagnose/why.ts";
import { openTrace } from "../../src/trace/open/open-trace.ts";
import { usage } from "../measure.ts";

const [file, intervals] = process.argv.slice(2);
if (file === undefined) throw new Error("expected a file");
const from = performance.now();
const trace = await openTrace(file);
const [job] = trace.jobs;
if (job === undefined) throw new Error(`${file} has no job`);
const found = diagnose(trace, job, { intervals: intervals === "intervals" });
if (found.kind !== "why") throw new Error(`${file}: ${found.kind}`);
console.log(JSON.stringify({ whyMs: performance.now() - from, ...usage() }));
