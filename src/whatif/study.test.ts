import { expect, test } from "vitest";
import { hopelessJob } from "../../test/diagnose/support/hopeless.ts";
import { tryPolicies } from "./try-policies.ts";

test("equal runs are made once: the record's own policy, and what no luck can change", () => {
  const job = hopelessJob(3, new Set(["driver"]));
  const source = { format: "spark" } as const;
  const runsOf = (policy: string, rho?: number): number => {
    let runs = 0;
    const onRun = (): void => void runs++;
    const of = { policies: [policy], seeds: 2, source, onRun };
    tryPolicies(job, rho === undefined ? of : { ...of, rho });
    return runs;
  };
  // Two seeds at two values of rho if the job runs again, and two in that run.
  expect(runsOf("none")).toBe(2 * 2 + 2);
  expect(runsOf("none", 0.5)).toBe(2 + 2);
  // The policy is asked about the same, and makes no copies in that run.
  expect(runsOf("hadoop")).toBe(2 * runsOf("none"));
  // Another order changes something without copies, too: two runs without them.
  expect(runsOf("hadoop,order=largest-first")).toBe(runsOf("hadoop") + 2);
});
