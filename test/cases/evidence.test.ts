import { describe, expect, test } from "vitest";
import { describeCases, secondsOf, whyOfCase, whyOfLines } from "./support/case.ts";
import { type LogTask, sparkLines } from "./support/spark-log.ts";

describeCases("a history of the cases:", () => {
  test("six maps are pre-empted and run again: retries, and no copies", async () => {
    const why = await whyOfCase("reports/p08-preempted.jhist.gz");
    expect(why.responseMs).toBe(53_880);
    expect(secondsOf(why, "retries")).toBeCloseTo(7.1, 1);
    expect(why.copies).toBeUndefined();
    expect(why.verdict).not.toContain("copies");
  });
});

const PEERS = Array.from({ length: 12 }, (_, n): LogTask => {
  const from = Math.floor(n / 4) * 1_000;
  return { id: n, index: n, executor: n % 4, from: from + 10, to: from + 1_000 };
});
const KILLED = { Reason: "TaskKilled", "Kill Reason": "Executor decommission" };
const DENIED = { Reason: "TaskCommitDenied", Job: 0, Partition: 12, Attempt: 0 };

describe("a killed attempt", () => {
  const whyOfTasks = (...tasks: readonly LogTask[]) => {
    const all = [...PEERS, ...tasks];
    const to = Math.max(...all.map((task) => task.to ?? 0));
    const stage = { tasks: 13, from: 0, to };
    return whyOfLines(
      sparkLines({ cores: [2, 2, 2, 2], stages: [stage], tasks: all, to: to + 10 }),
    );
  };

  test.each([
    ["is killed", KILLED],
    ["may not commit", DENIED],
    ["fails", { Reason: "ExceptionFailure" }],
  ])("that %s and runs again after its end cost a retry, however short", (_, reason) => {
    for (const rerunMs of [500, 8_000, 9_990, 10_010, 20_000]) {
      const why = whyOfTasks(
        { id: 12, index: 12, executor: 1, from: 3_000, to: 33_000, reason },
        { id: 13, index: 12, executor: 2, from: 33_000, to: 33_000 + rerunMs },
      );
      expect(secondsOf(why, "retries")).toBeCloseTo(30, 5);
      expect(why.copies).toBeUndefined();
    }
  });

  test("beside a copy that ended first lost a race", () => {
    const why = whyOfTasks(
      { id: 12, index: 12, executor: 1, from: 3_000, to: 8_050, reason: KILLED },
      { id: 13, index: 12, executor: 2, from: 6_000, to: 8_000, isSpeculative: true },
    );
    expect(secondsOf(why, "retries")).toBe(0);
    expect(why.copies).toMatchObject({ made: 1, won: 1 });
  });

  test("before a rerun with a copy of its own is a retry, and the race is the rerun's", () => {
    const why = whyOfTasks(
      { id: 12, index: 12, executor: 1, from: 3_000, to: 5_000, reason: KILLED },
      { id: 13, index: 12, executor: 2, from: 5_000, to: 9_010, reason: KILLED },
      { id: 14, index: 12, executor: 3, from: 7_000, to: 9_000, isSpeculative: true },
    );
    expect(secondsOf(why, "retries")).toBeCloseTo(2, 5);
    expect(why.copies).toMatchObject({ made: 1, won: 1 });
  });
});
