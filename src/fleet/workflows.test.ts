import { expect, test } from "vitest";
import type { JobDigest } from "./digest.ts";
import { workflowsOf } from "./workflows.ts";

const job = (id: string, more: Partial<JobDigest>): JobDigest => ({
  ...{ id, name: id, outcome: "succeeded", submittedAt: 0, isDated: false, responseMs: 100_000 },
  ...{ delayMs: 0, usualMs: 100_000, slotMs: 0, attempts: 10, causes: [], nodes: [], sigma: 0.1 },
  ...{ parts: [], failures: [] },
  ...more,
});
const of = (id: string, step: string) => ({ workflow: { id, name: "nightly", step } });

test("a workflow takes from its first submission to its last end, with the time between", () => {
  const jobs = [
    job("c", { ...of("hive-1", "Stage-3"), submittedAt: 230_000, responseMs: 20_000 }),
    job("a", { ...of("hive-1", "Stage-1"), delayMs: 30_000 }),
    job("b", { ...of("hive-1", "Stage-2"), submittedAt: 50_000, outcome: "failed" }),
    job("alone", of("hive-2", "Stage-1")),
    job("none", {}),
  ];
  expect(workflowsOf(jobs)).toEqual([
    {
      ...{ id: "hive-1", name: "nightly", jobs: 3, succeeded: 2 },
      ...{ tookMs: 250_000, betweenMs: 80_000, delayMs: 30_000 },
      longest: { id: "a", step: "Stage-1", responseMs: 100_000 },
    },
  ]);
});
