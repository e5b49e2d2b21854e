import type { Change } from "../../../src/whatif/change.ts";
import { type Sampler, sampleOf } from "../../../src/whatif/sample.ts";
import { tryPolicies } from "../../../src/whatif/try-policies.ts";
import { longJob } from "./long-job.ts";

const sampler: Sampler = (plan, shape) => sampleOf(plan, shape, 300);

/** Answers of samples of jobs whose intervals do not hold the answer of the whole job. */
export function missedBySample(
  jobs: readonly number[],
  { policies, seeds }: { readonly policies: readonly string[]; readonly seeds: number },
): { readonly missed: readonly string[]; readonly asked: number } {
  const missed: string[] = [];
  let asked = 0;
  for (const seed of jobs) {
    const job = longJob(seed, 60);
    const options = { policies, seeds, rho: 0.3, source: { format: "spark" } } as const;
    const part = tryPolicies(job, { ...options, sampler, anyway: true });
    const whole = tryPolicies(job, { ...options, anyway: true });
    if (!part.cannot.some((said) => said.startsWith("A sample"))) throw new Error("no sample");
    for (const [n, row] of part.rows.entries()) {
      const full = whole.rows[n];
      const judge = (name: string, { lowMs, highMs }: Change, ms: number): void => {
        asked += 1;
        const text = `job ${seed}, ${row.policy}, ${name}: [${lowMs}, ${highMs}] for ${ms}`;
        if (ms < lowMs || ms > highMs) missed.push(text);
      };
      judge("again", row.byAttempt, full?.byAttempt.ms ?? Number.NaN);
      const ran = row.thatRun;
      if (ran !== undefined) judge("that run", ran.byAttempt, full?.thatRun?.byAttempt.ms ?? NaN);
    }
  }
  return { missed, asked };
}
