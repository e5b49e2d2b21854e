import { expect, test } from "vitest";
import { TasksLookedAt } from "./tasks-looked-at.ts";
import type { TaskRow } from "./yarn-rest.ts";

const row = (task: string, state: string): TaskRow => ({ task, state });
const rows = (count: number, state: string, from = 0): readonly TaskRow[] =>
  Array.from({ length: count }, (_, index) => row(`m_${from + index}`, state));

const decided = new Set<string>();

test("running tasks come first, led by those the policies acted on, up to a bound", () => {
  const tasks = [...rows(3, "SCHEDULED"), ...rows(200, "RUNNING", 3), row("m_9999", "SUCCEEDED")];
  const spoken = new Set(["m_150", "m_9999"]);
  const looked = new TasksLookedAt().next({ tasks, decided: spoken, failed: 0, known: 0 });
  expect(looked).toHaveLength(64);
  expect(looked.slice(0, 2)).toEqual(["m_150", "m_3"]);
});

test("a failed attempt is searched for in every begun task, once per round", () => {
  const tasks = [
    ...rows(10, "SCHEDULED"),
    ...rows(150, "RUNNING", 10),
    ...rows(40, "SUCCEEDED", 160),
    row("m_500", "FAILED"),
  ];
  const looked = new TasksLookedAt();
  const next = (failed: number): readonly string[] =>
    looked.next({ tasks, decided, failed, known: 0 }).slice(64);
  const first = next(1);
  expect(first).toHaveLength(64);
  expect(first[0]).toBe("m_500");
  const all = [...first, ...next(1)];
  expect(new Set(all).size).toBe(all.length);
  expect(new Set(all)).toEqual(new Set(tasks.slice(74).map(({ task }) => task)));
  // The search ends until another attempt fails.
  expect([...next(1), ...next(1)]).toEqual([]);
  expect(next(2)[0]).toBe("m_500");
});
