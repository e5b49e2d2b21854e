import { describe, expect, test } from "vitest";
import { ColumnsBuilder } from "../../history/columns-builder.ts";
import { evidenceOf, gapIn, leaveOutContradicting } from "./evidence.ts";
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

describe("what a history lacks:", () => {
  /** A job of one map with these attempts, by their numbers. */
  function jobWith(...numbers: readonly number[]) {
    const job = newJob("job_1_1");
    [job.submittedAt, job.finishedAt, job.outcome] = [1_000, 9_000, "succeeded"];
    const task = taskIn(job, "task_1_1_m_000000", "map");
    const attempts = numbers.map((n) => attemptIn(task, `attempt_1_1_m_000000_${n}`));
    for (const attempt of attempts) attempt.startedAt = 2_000;
    return { job, task, attempts };
  }

  const MAPS = { name: "map", kind: "map", reads: [], span: -1, tasks: 1 } as const;
  const missingIn = (job: ReturnType<typeof newJob>) => {
    const attempts = new ColumnsBuilder();
    attempts.append();
    const found = { reasons: [], gap: gapIn(job), unread: 0 };
    return evidenceOf(job, [{ ...MAPS, attempts: attempts.build() }], found)?.missing ?? [];
  };

  test.each([
    [[0], 0],
    [[1], 1],
    [[0, 2, 5], 3],
    // After a restart of the master the numbers begin at 1,000.
    [[0, 1_000], 0],
    [[1, 1_001], 2],
  ])("of attempts with the numbers %j, %d are missing", (numbers, count) => {
    expect(gapIn(jobWith(...numbers).job)).toBe(count);
  });

  test("the end of a task that is done, of which no attempt succeeded", () => {
    const { job, task, attempts } = jobWith(0);
    const ends = [{ kind: "ends", phase: "map", count: 1, of: 1 }];
    expect(missingIn(job)).toEqual(ends);
    for (const attempt of attempts) endAttempt(attempt, "killed", 3_000);
    expect(missingIn(job)).toEqual(ends);
    // Some jobs succeed although tasks fail.
    task.ended = "failed";
    expect(missingIn(job)).toEqual([]);
    task.ended = "succeeded";
    job.outcome = "failed";
    expect(missingIn(job)).toEqual(ends);
  });

  test("an end without its time, and the job's own beginning", () => {
    const { job, attempts } = jobWith(0);
    for (const attempt of attempts) endAttempt(attempt, "succeeded", undefined);
    job.submittedAt = undefined;
    expect(missingIn(job).map(({ kind }) => kind)).toEqual(["beginning", "ends"]);
  });
});
