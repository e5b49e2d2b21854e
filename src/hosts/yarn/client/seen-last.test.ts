import { expect, test } from "vitest";
import { succeededSince } from "./hadoop-job.ts";
import type { AttemptRow } from "./yarn-rest.ts";

const row = (attempt: string, state: string, progress: number, endedAt = 0): AttemptRow => {
  const container = { host: "n1", hostWeb: "n1:8042", container: "c", diagnostics: "" };
  return { attempt, state, progress, startedAt: 1, endedAt, ...container };
};
const states = (rows: readonly AttemptRow[]) =>
  succeededSince(rows).map(({ attempt, state }) => `${attempt} ${state}`);

test("of the attempts that still ran, the furthest counts as succeeded", () => {
  const rows = [row("m_0_0", "FAILED", 1, 9), row("m_0_1", "RUNNING", 0.4)];
  expect(states(rows)).toEqual(["m_0_0 FAILED", "m_0_1 SUCCEEDED"]);
  const both = [...rows, row("m_0_2", "RUNNING", 0.5)];
  expect(states(both)).toEqual(["m_0_0 FAILED", "m_0_1 RUNNING", "m_0_2 SUCCEEDED"]);
});

test("an attempt that was seen to succeed stays so", () => {
  const rows = [row("m_0_0", "SUCCEEDED", 1, 9), row("m_0_1", "RUNNING", 0.4)];
  expect(states(rows)).toEqual(["m_0_0 SUCCEEDED", "m_0_1 RUNNING"]);
});
