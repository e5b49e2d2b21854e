import { expect, test } from "vitest";
import { tableFrom } from "../../../test/support/tables.ts";
import { ATTEMPT } from "../../history/columns.ts";
import type { TraceJob } from "../../history/model.ts";
import { idleBesideMs } from "./idle.ts";

const slots = [0, 1].map(() => ({ kind: "map" as const, node: 0, executor: -1, from: 0 }));

/** Attempts of one task each: when they began and ended, in ms. */
function job(ran: readonly (readonly [from: number, to: number])[], endedAt = 100): TraceJob {
  return {
    id: "job",
    name: "job",
    submittedAt: 0,
    endedAt,
    outcome: "succeeded",
    phases: [
      {
        name: "map",
        kind: "map",

        span: -1,
        reads: [],
        tasks: ran.length,
        attempts: tableFrom(ATTEMPT, ran.length, {
          task: ran.map((_, n) => n),
          startedAt: ran.map(([from]) => from),
          endedAt: ran.map(([, to]) => to),
        }),
      },
    ],
    spans: [],
    nodes: ["n"],
    executors: [],
    slots,
    settings: { values: {} },
    lacks: new Set(),
  };
}

test("a slot is idle beside a task that could begin in it; else it had nothing to do", () => {
  // One slot is free for 20 ms before the second begins and for 10 before the third; then for 40.
  const ran = [
    [0, 50],
    [20, 60],
    [60, 100],
  ] as const;
  expect(idleBesideMs([job(ran)], 0, 100)).toBe(30);
});

test("no more slots are idle beside tasks than tasks wait", () => {
  // Both slots are free for 10 ms, and one task waits.
  const ran = [
    [0, 10],
    [0, 10],
    [20, 100],
  ] as const;
  expect(idleBesideMs([job(ran)], 0, 100)).toBe(10);
});

test("other jobs' attempts take slots, and their waiting tasks count", () => {
  const ran = [[0, 100]] as const;
  expect(idleBesideMs([job(ran), job(ran)], 0, 100)).toBe(0);
  expect(
    idleBesideMs(
      [
        job(ran),
        job([
          [0, 50],
          [70, 100],
        ]),
      ],
      0,
      100,
    ),
  ).toBe(20);
});
