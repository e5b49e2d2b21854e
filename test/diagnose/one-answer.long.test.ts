import { expect, test } from "vitest";
import { InputError } from "../../src/base/input-error.ts";
import { openTrace } from "../../src/trace/open/open-trace.ts";
import { tryPolicies } from "../../src/whatif/try-policies.ts";
import { ownHistories, SHARED, sharedHistories } from "../evidence/histories.ts";
import { contradictionsIn } from "../support/one-answer.ts";

const others = sharedHistories();
if (others.length === 0) console.log(`skipped: the histories of ${SHARED}, which is absent`);

/** Of a history with many jobs. */
const JOBS_MAX = 5;

test("what-if says one thing about every job", { timeout: 1_200_000 }, async () => {
  const wrong: string[] = [];
  let jobs = 0;
  for (const { path } of [...ownHistories(), ...others]) {
    const trace = await openTrace(path).catch((error: unknown) => {
      if (error instanceof InputError) return undefined;
      throw error;
    });
    if (trace === undefined) continue;
    const { source } = trace;
    const ran = trace.jobs.filter(({ phases }) =>
      phases.some(({ attempts: { length } }) => length),
    );
    for (const job of ran.slice(0, JOBS_MAX)) {
      const policies = ["late", "yarn", "spark-4", "mantri"];
      const found = tryPolicies(job, { policies, source, seeds: 4, advise: true, anyway: true });
      wrong.push(...contradictionsIn(found).map((text) => `${path} ${job.id}: ${text}`));
      jobs += 1;
    }
  }
  console.log(`${jobs} jobs, ${wrong.length} with two answers`);
  expect(wrong).toEqual([]);
});
