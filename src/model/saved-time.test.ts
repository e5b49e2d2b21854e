import { describe, expect, test } from "vitest";
import type { AttemptEnd, Fact } from "./fact.ts";
import { attemptId, instant, nodeId, taskId } from "./ids.ts";
import { SavedTime } from "./saved-time.ts";

const TASK = { task: taskId(7), node: nodeId(0), launchedAt: instant(0) };
const SUCCEEDED: AttemptEnd = { how: "succeeded", output: { bytes: 0, records: 0 } };
const WHY = { rule: "twin-succeeded", numbers: {} };

const ended = (attempt: number, as: "original" | "speculative", at: number): Fact => ({
  kind: "attempt-ended",
  at: instant(at),
  ...TASK,
  attempt: attemptId(attempt),
  as,
  startedAt: instant(0),
  end: SUCCEEDED,
});

const dying = (attempt: number, at: number, score: number, startedAt: number): Fact => ({
  kind: "attempt-dying",
  at: instant(at),
  ...TASK,
  attempt: attemptId(attempt),
  as: "original",
  startedAt: instant(startedAt),
  score,
  then: "nothing",
  why: WHY,
});

const saved = (...facts: readonly Fact[]): SavedTime => {
  const time = new SavedTime();
  for (const fact of facts) time.apply(fact);
  return time;
};

describe("saved time of a copy that won", () => {
  test("is its original's time left at its mean rate so far", () => {
    // 0.4 in 8 s: the original would have ended at 22 s, 12 s after its copy.
    const time = saved(ended(1, "speculative", 10_000), dying(0, 10_000, 0.4, 2_000));
    expect(time.of(attemptId(1))).toBeCloseTo(12_000, 6);
    expect(time.totalMs).toBeCloseTo(12_000, 6);
  });

  test("counts the attempt that would end first of several", () => {
    const two = [dying(0, 10_000, 0.4, 2_000), dying(2, 10_000, 0.5, 6_000)];
    expect(saved(ended(1, "speculative", 10_000), ...two).totalMs).toBeCloseTo(4_000, 6);
    expect(saved(ended(1, "speculative", 10_000), ...two.reverse()).totalMs).toBeCloseTo(4_000, 6);
  });

  test("is unknown if the original's score is 0", () => {
    const time = saved(ended(1, "speculative", 10_000), dying(0, 10_000, 0, 2_000));
    expect([time.of(attemptId(1)), time.totalMs]).toEqual([undefined, 0]);
  });

  test("is absent if the original won, or the kill was requested at another time", () => {
    expect(saved(ended(0, "original", 10_000), dying(1, 10_000, 0.4, 2_000)).totalMs).toBe(0);
    const later = dying(0, 11_000, 0.4, 2_000);
    expect(saved(ended(1, "speculative", 10_000), later).totalMs).toBe(0);
  });
});
