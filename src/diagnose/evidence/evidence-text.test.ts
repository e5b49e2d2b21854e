import { expect, test } from "vitest";
import type { EvidenceRow, Failure } from "./evidence.ts";
import { evidenceSentences, lossClause } from "./evidence-text.ts";

const row = (more: Partial<EvidenceRow>): EvidenceRow => ({
  ...{ isWhole: true, isCutOff: false, failures: [], neverBegan: [], endedWithJob: [], ...more },
});

const lost = (executor: string, node: string) => ({
  executor,
  node,
  at: 0,
  reason: "exit code 137",
});

test("lost executors are counted, the first with its reason", () => {
  const one = row({ lostExecutors: [lost("1", "h1")] });
  expect(evidenceSentences(one)).toEqual(["Executor 1 on h1 was lost: exit code 137."]);
  expect(lossClause(one)).toBe(", because h1's executor was lost");
  const two = row({ lostExecutors: [lost("1", "h1"), lost("2", "h2")] });
  expect(evidenceSentences(two)).toEqual(["2 executors were lost, 1 on h1 first: exit code 137."]);
  expect(lossClause(two)).toBe(", because 2 executors were lost");
  expect(lossClause(row({}))).toBe("");
});

test("two reasons of failures are named, and the others counted", () => {
  const failed = (reason: string, count: number): Failure => ({
    ...{ phase: "map", ended: "failed", count, reason },
  });
  const said = (...failures: readonly Failure[]) => evidenceSentences(row({ failures }));
  const [a, b] = [failed("disk full", 5), failed("timed out", 4)];
  expect(said(a, b)).toEqual([
    "5 attempts of map failed: disk full.",
    "4 attempts of map failed: timed out.",
  ]);
  expect(said(a, b, failed("broken", 3))[2]).toBe("3 attempts had no result for another reason.");
  expect(said(a, b, failed("broken", 3), failed("killed", 1))[2]).toBe(
    "4 attempts had no result for 2 other reasons.",
  );
});

test("tasks that did not begin are those of a job that ended, or of a log that did", () => {
  const neverBegan = [{ phase: "stage 2", count: 3, of: 8 }];
  expect(evidenceSentences(row({ neverBegan }))).toEqual(["3 of 8 tasks of stage 2 never began."]);
  expect(evidenceSentences(row({ neverBegan, isCutOff: true }))).toEqual([
    "3 of 8 tasks of stage 2 had not begun when the log ends.",
  ]);
});
