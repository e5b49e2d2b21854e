import { describe, expect, test } from "vitest";
import { TrueJob } from "../../test/diagnose/support/true-job.ts";
import type { TraceJob } from "../history/model.ts";
import type { Advice } from "./advise.ts";
import { tryPolicies } from "./try-policies.ts";

const SPARK = { format: "spark", version: "4.0.0" } as const;

function adviceFor(job: TraceJob, rho: number): Advice | undefined {
  const asked = { policies: [], seeds: 20, advise: true, thatRun: false, source: SPARK, rho };
  return tryPolicies(job, asked).advice;
}

describe("advice", () => {
  // World 3 has a slow node and a tail: copies save a sixth of the response.
  const job = new TrueJob(3, 0);
  const log = job.logOf(job.run("none", 1));
  const advice = adviceFor(log, 0);

  test("names settings as Spark's users write them, and switches speculation on first", () => {
    if (advice?.kind !== "set") throw new Error("advice");
    expect(advice.settings[0]).toBe("spark.speculation=true");
    for (const setting of advice.settings) expect(setting).toMatch(/^spark\.speculation/);
    expect(advice.byAttempt.highMs).toBeLessThan(0);
    expect(advice.seeds).toBe(20);
  });

  test("is confirmed when the job runs again with these settings", () => {
    if (advice?.kind !== "set") throw new Error("advice");
    const value = (name: string, standard: number): number => {
      const found = advice.settings.find((each) => each.startsWith(`spark.speculation.${name}=`));
      return found === undefined ? standard : Number(found.split("=")[1]);
    };
    const sets = [
      `speculation.multiplier=${value("multiplier", 3)}`,
      `speculation.quantile=${value("quantile", 0.9)}`,
    ];
    const seeds = [101, 102, 103, 104, 105, 106];
    const total = (policy: string, with_: readonly string[]): number =>
      seeds.reduce((sum, seed) => sum + job.run(policy, seed, with_).responseMs, 0);
    expect(total("spark-4", sets)).toBeLessThan(0.95 * total("none", []));
  });

  test("is not given for a job without stragglers", () => {
    const calm = new TrueJob(24, 0);
    const advice = adviceFor(calm.logOf(calm.run("none", 1)), 1);
    expect(advice?.kind).toBe("none");
    if (advice?.kind === "none") expect(advice.reason).toMatch(/^No advice: /);
  });
});
