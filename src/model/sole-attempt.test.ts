import { expect, test } from "vitest";
import type { Attempt, AttemptState } from "./attempt.ts";
import { attemptId, instant, nodeId, taskId } from "./ids.ts";
import { soleAttempt } from "./sole-attempt.ts";

const soleOf = (...states: AttemptState[]): number | undefined => {
  const attempts = states.map(
    (state, index): Attempt => ({
      id: attemptId(index),
      task: taskId(0),
      node: nodeId(index),
      as: "original",
      launchedAt: instant(0),
      state,
    }),
  );
  return soleAttempt({ attemptsOf: () => attempts }, taskId(0))?.id;
};

test("attempts that have ended do not count", () => {
  expect(soleOf("failed", "killed", "running")).toBe(2);
  expect(soleOf("succeeded")).toBeUndefined();
});

test("an attempt that is assumed or dying counts: with it there are two", () => {
  expect(soleOf("running", "assumed")).toBeUndefined();
  expect(soleOf("dying", "running")).toBeUndefined();
  expect(soleOf("assumed")).toBe(0);
});
