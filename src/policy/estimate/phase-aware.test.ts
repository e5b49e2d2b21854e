import { expect, test } from "vitest";
import { byStage, steadily } from "../../../test/support/curves.ts";
import { probing } from "../../../test/support/probe.ts";
import { World } from "../../../test/support/world.ts";
import { instant } from "../../model/ids.ts";
import { REDUCE_STAGES } from "../../model/job.ts";
import { timeLeft } from "./phase-aware.ts";

const HALVES = [
  { name: "first", share: 0.5 },
  { name: "second", share: 0.5 },
];
const entered = (stage: number, at: number, score: number) => ({ stage, at: instant(at), score });

test("§4.2: with its own rate in the second stage, T1 has 40 s left", () => {
  const t1 = { stages: HALVES, now: 20, score: 0.6, entered: entered(1, 10, 0.5) };
  expect(timeLeft({ ...t1, ownRate: 0.03, others: [] })).toBeCloseTo(40);
});

test("§4.2: T2, which is about to enter the second stage, has the 50 s that it took others", () => {
  const t2 = { stages: HALVES, now: 20, score: 0.5, ownRate: 0.05, others: [0.05, 0.01] };
  expect(timeLeft({ ...t2, entered: entered(0, 10, 0) })).toBeCloseTo(50);
  expect(timeLeft({ ...t2, entered: entered(1, 20, 0.5) })).toBeCloseTo(50);
});

test("where no other task has shown a stage, the task's own average rate is used", () => {
  const stand = { stages: HALVES, now: 10, score: 0.25, entered: entered(0, 0, 0), others: [] };
  expect(timeLeft({ ...stand, ownRate: 0.025 })).toBeCloseTo(30);
});

test("a task without progress while others finish the stage is not like them", () => {
  const stand = { stages: HALVES, score: 0.5, entered: entered(1, 20, 0.5), others: [0.05, 0.05] };
  expect(timeLeft({ ...stand, now: 25, ownRate: 0.02 })).toBeCloseTo(10);
  expect(timeLeft({ ...stand, now: 100, ownRate: 0.005 })).toBeCloseTo(100);
});

test("a stage that took the others no time takes no time", () => {
  const others = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, 0.1];
  const stand = { stages: REDUCE_STAGES, now: 0, score: 0, entered: undefined, ownRate: 0, others };
  expect(timeLeft(stand)).toBeCloseTo(10 / 3);
});

test("a full score leaves no time, and no progress anywhere leaves infinite time", () => {
  const stand = { stages: HALVES, now: 5, entered: entered(0, 0, 0), ownRate: 0, others: [] };
  expect(timeLeft({ ...stand, score: 1 })).toBe(0);
  expect(timeLeft({ ...stand, score: 0 })).toBe(Number.POSITIVE_INFINITY);
});

test("for reduces with slow copying and a fast rest, the time left shows it", () => {
  const { discipline, timesLeft } = probing("none,sharing=fifo-plain,estimator=phase-aware");
  const world = new World({
    discipline,
    nodes: 3,
    slots: [0, 1],
    runs: ({ task }) => {
      if (task.index === 2) return steadily(1000);
      return byStage(task, task.index === 0 ? [60_000, 3000, 6000] : [120_000, 6000, 12_000]);
    },
  });
  world.submit({ maps: 0, reduces: 2 });
  world.advance(72_000);
  // 72 of 120 s of copying are done, 48 s are left; sort and reduce took the first 9 s.
  expect(timesLeft().map(Math.round)).toEqual([57_000]);
});
