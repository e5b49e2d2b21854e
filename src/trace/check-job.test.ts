import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { cell } from "../base/rows.ts";
import { checkJob } from "./check-job.ts";
import { readTrace } from "./read-trace.ts";

const { jobs } = readTrace([readFileSync("fixtures/spark/two-workers.ndjson")]);
const job = cell(jobs[0]);

test("a job is sound if it ended after its submission, and ran in between", () => {
  expect(() => checkJob(job)).not.toThrow();
});

test("a job that ended before its submission is refused", () => {
  const wrong = { ...job, endedAt: job.submittedAt - 3_600_000 };
  expect(() => checkJob(wrong)).toThrow(
    "expected one clock, but the job ended 3600 s before it was submitted: a clock was set",
  );
});

test("attempts far outside of their job are refused", () => {
  const phases = job.phases.map((phase) => {
    const { attempts } = phase;
    const startedAt = attempts.startedAt.map((at) => at + 1_000_000);
    return { ...phase, attempts: { ...attempts, startedAt } };
  });
  expect(() => checkJob({ ...job, phases })).toThrow(
    /expected one clock, but an attempt of stage \d+ began \d+ s after the job had ended/,
  );
});
