import { expect, test } from "vitest";
import { addAttempt } from "../../test/diagnose/support/attempt.ts";
import type { Measure } from "../history/columns.ts";
import { ColumnsBuilder } from "../history/columns-builder.ts";
import type { TraceJob } from "../history/model.ts";
import { fitted } from "./fitted.ts";

interface Task extends Partial<Readonly<Record<Measure, number>>> {
  readonly ms: number;
}

/** Twenty tasks of 1 s and of size 100, and these. */
function luckWith(...large: readonly Task[]) {
  const usual = { ms: 1_000, inputBytes: 100, inputRecords: 100, outputBytes: 100 };
  const all = [
    ...Array.from({ length: 20 }, () => usual),
    ...large.map((one) => ({ ...usual, ...one })),
  ];
  const builder = new ColumnsBuilder();
  for (const [task, { ms, ...sizes }] of all.entries()) {
    addAttempt(builder, {
      ...{ task, ordinal: 0, as: "original", node: task % 4, ended: "succeeded" },
      ...{ startedAt: task, endedAt: task + ms, ...sizes },
    });
  }
  const job: TraceJob = {
    id: "job",
    name: "job",
    submittedAt: 0,
    endedAt: 1_000_000,
    outcome: "succeeded",
    phases: [
      {
        name: "map",
        kind: "map",

        span: -1,
        tasks: all.length,
        reads: [],
        attempts: builder.build(),
      },
    ],
    spans: [],
    nodes: ["a", "b", "c", "d"],
    executors: [],
    slots: [],
    settings: { values: {} },
    lacks: new Set(),
  };
  const { luck } = fitted(job);
  return large.map((_, n) => ({
    dueMs: luck.expectedMs[20 + n],
    isOfSize: luck.isOfSize[20 + n] === 1,
  }));
}

// What a task reads of a shuffle comes beside its input of 100.
test.each<[Measure, number]>([
  ["inputBytes", 1_900],
  ["shuffleBytes", 1_800],
  ["inputRecords", 1_900],
  ["shuffleRecords", 1_800],
  ["outputBytes", 1_900],
])("a task of nineteen times the %s owes its time to them", (measure, size) => {
  expect(luckWith({ ms: 20_000, [measure]: size })).toEqual([{ dueMs: 20_000, isOfSize: true }]);
});

test("what took longer than in proportion to its size had bad luck as well", () => {
  const [one] = luckWith({ ms: 60_000, inputBytes: 2_000 });
  expect(one?.dueMs).toBeCloseTo(20_000, 5);
  expect(one?.isOfSize).toBe(false);
});

test("a task of like size that was quicker shows that the size does not ask for the time", () => {
  const [slow] = luckWith({ ms: 20_000, inputBytes: 2_000 }, { ms: 1_100, inputBytes: 1_900 });
  expect(slow?.dueMs).toBeLessThan(1_300);
  expect(slow?.isOfSize).toBe(false);
});

test("a large task that took what its peers took has no part in this", () => {
  expect(luckWith({ ms: 1_000, inputBytes: 2_000 })).toEqual([{ dueMs: 1_000, isOfSize: false }]);
});

test("a task of the usual size is late by bad luck", () => {
  expect(luckWith({ ms: 20_000 })).toEqual([{ dueMs: 1_000, isOfSize: false }]);
});
