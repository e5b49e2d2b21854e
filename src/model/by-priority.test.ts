import { expect, test } from "vitest";
import { byPriority } from "./by-priority.ts";
import { instant, jobId } from "./ids.ts";
import type { Job, Priority } from "./job.ts";

const job = (id: number, priority: Priority, submittedAt: number): Job => ({
  id: jobId(id),
  name: `job${id}`,
  user: "user",
  pool: "default",
  priority,
  submittedAt: instant(submittedAt),
  phases: [],
});

test("the higher priority first, then the earlier submission, then the smaller id", () => {
  const jobs = [
    job(0, "low", 0),
    job(1, "normal", 5),
    job(2, "normal", 3),
    job(3, "very-high", 9),
    job(4, "normal", 3),
    job(5, "very-low", 0),
    job(6, "high", 9),
  ];
  expect(jobs.toSorted(byPriority).map(({ id }) => id)).toEqual([3, 6, 2, 4, 1, 0, 5]);
});
