import { describe, expect, test } from "vitest";
import { clocksOf, isOfJobTracker } from "./clocks.ts";
import { attemptIn, endAttempt, newJob, taskIn } from "./history.ts";

const MINUTE = 60_000;

interface Run {
  readonly host: string;
  /** The task's times, by the JobTracker's clock. */
  readonly task: readonly [from: number, to: number];
  /** The attempt's times, by its tracker's clock. */
  readonly ran: readonly [from: number, to: number];
  readonly ended?: "succeeded" | "failed" | "killed";
}

function shifts(...runs: readonly Run[]) {
  const job = newJob("job_200904211745_0001");
  for (const [index, { host, task: times, ran, ended = "succeeded" }] of runs.entries()) {
    const task = taskIn(job, `task_200904211745_0001_m_00000${index}`, "map");
    [task.startedAt, task.finishedAt] = times;
    const attempt = attemptIn(task, `attempt_200904211745_0001_m_00000${index}_0`);
    attempt.host = host;
    attempt.startedAt = ran[0];
    endAttempt(attempt, ended, ran[1]);
  }
  const { shiftMs, largestMs } = clocksOf(job);
  return { shiftMs: Object.fromEntries(shiftMs), largestMs };
}

const NONE = { shiftMs: {}, largestMs: 0 };

describe("a tracker's clock", () => {
  test("is left alone while its attempts lie within their tasks", () => {
    expect(shifts({ host: "a", task: [MINUTE, 9 * MINUTE], ran: [MINUTE, 9 * MINUTE] })).toEqual(
      NONE,
    );
  });

  test("that is slow is moved forward until the attempt begins with its task", () => {
    const behind = { host: "a", task: [1_000, 9_000], ran: [600, 4_000] } as const;
    expect(shifts(behind)).toEqual({ shiftMs: { a: 400 }, largestMs: 400 });
  });

  test("that is fast is moved back until the attempt ends with its task", () => {
    const ahead = { host: "a", task: [1_000, 9_000], ran: [3_000, 9_700] } as const;
    expect(shifts(ahead)).toEqual({ shiftMs: { a: -700 }, largestMs: 700 });
  });

  test("gets a shift that suits all its attempts, and only its own", () => {
    const early = { task: [1_000, 9_000], ran: [900, 4_000] } as const;
    const earlier = { task: [1_000, 9_000], ran: [500, 4_000] } as const;
    expect(
      shifts({ host: "a", ...early }, { host: "a", ...earlier }, { host: "b", ...early }),
    ).toEqual({ shiftMs: { a: 500, b: 100 }, largestMs: 500 });
  });

  // The JobTracker does not wait for a loser's end.
  test("does not move for a kill that is reported after the task's end", () => {
    const late = { host: "a", task: [1_000, 9_000], ran: [6_000, 12_000] } as const;
    expect(shifts({ ...late, ended: "killed" })).toEqual(NONE);
    expect(shifts({ ...late, ended: "failed" })).toEqual({
      shiftMs: { a: -3_000 },
      largestMs: 3_000,
    });
  });

  test("that was set during the job gets the middle of the needed shifts", () => {
    const behind = { host: "a", task: [1_000, 9_000], ran: [600, 4_000] } as const;
    const ahead = { host: "a", task: [1_000, 9_000], ran: [2_000, 9_200] } as const;
    expect(shifts(behind, ahead)).toEqual({ shiftMs: { a: 100 }, largestMs: 100 });
  });
});

test("only jobs of a JobTracker have a clock for each tracker", () => {
  expect(isOfJobTracker("job_200904211745_0004")).toBe(true);
  expect(isOfJobTracker("job_1329348432655_0001")).toBe(false);
  expect(isOfJobTracker("job_local1234_0001")).toBe(false);
});
