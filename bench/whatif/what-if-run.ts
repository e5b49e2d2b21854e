/** One what-if: `node what-if-run.js ATTEMPTS` simulates a generated job of about that size. */
import { TRIED } from "../../src/library/try-on.ts";
import { sampleOf } from "../../src/whatif/sample.ts";
import { tryPolicies } from "../../src/whatif/try-policies.ts";
import { longJob } from "../../test/diagnose/support/long-job.ts";
import { usage } from "../measure.ts";

const PHASES = 2;

const asked = Number(process.argv[2]);
const slots = longJob(1, 1).slots.length;
const job = longJob(1, Math.floor(asked / (PHASES * slots)));
const attempts = job.phases.reduce((sum, phase) => sum + phase.attempts.length, 0);
let runs = 0;
const found = tryPolicies(job, {
  ...{ policies: TRIED, sampler: sampleOf, source: { format: "spark" } },
  onRun: () => {
    runs += 1;
  },
});
if (found.rows.length !== TRIED.length) throw new Error(`no answer: ${found.gateText}`);
console.log(JSON.stringify({ attempts, runs, ...usage() }));
