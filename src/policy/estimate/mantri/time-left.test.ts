import { expect, test } from "vitest";
import { World } from "../../../../test/support/world.ts";
import { timeLeft } from "./time-left.ts";

/** What is left of an attempt that has read nothing 9 s after its start. */
function unread(expected: number | undefined, startUpMs: number): number {
  const world = new World({ nodes: 1, slots: [1, 0] });
  world.submit({ maps: 1, inputBytes: 1e6 });
  world.advance(9_000).look();
  const attempt = world.view.attempt(world.attempt("map", 0));
  const report = { ...world.view.progress(attempt.id), score: 0, bytesRead: 0 };
  const params = { periodMs: 10_000, periodsPerLife: 10, windowPeriods: 5 };
  const startUp = { longMs: startUpMs, meanMs: startUpMs };
  const judging = { params, wrapUpMs: undefined, startUp, expectedMs: () => expected };
  return timeLeft(world.view, { attempt, bytes: 0, report }, judging);
}

test("an attempt that starts up for longer than is usual begins as late again", () => {
  expect(unread(40_000, 6_000)).toBe(31_000);
  expect(unread(40_000, 4_000)).toBe(49_000);
});

test("no end is in sight where no time of a new copy is known", () => {
  expect(unread(undefined, 6_000)).toBe(Number.POSITIVE_INFINITY);
  expect(unread(undefined, 4_000)).toBe(Number.POSITIVE_INFINITY);
});
