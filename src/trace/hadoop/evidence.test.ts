import { expect, test } from "vitest";
import { leaveOutContradicting } from "./evidence.ts";
import { attemptIn, endAttempt, newJob, taskIn } from "./history.ts";

test("an attempt that ran outside its job is left out and counted", () => {
  const job = newJob("job_1_1");
  [job.submittedAt, job.finishedAt] = [1_000_000, 2_000_000];
  const task = taskIn(job, "task_1_1_m_000000", "map");
  for (const [n, startedAt] of [1_000_500, 900_000, 2_100_000, 950_000].entries()) {
    const attempt = attemptIn(task, `attempt_1_1_m_000000_${n}`);
    attempt.startedAt = startedAt;
    endAttempt(attempt, "succeeded", startedAt + 100);
  }
  leaveOutContradicting(job);
  // The clocks of a cluster may differ by a minute.
  expect([...task.attempts.keys()].map((id) => id.at(-1))).toEqual(["0", "3"]);
  expect(job.contradicting).toBe(2);
});
