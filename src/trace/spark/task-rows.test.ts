import { expect, test } from "vitest";
import { TaskRows } from "./task-rows.ts";

test("rows are found by the ids of tasks, in any order and however far apart", () => {
  const rows = new TaskRows();
  const ids = [5, 0, 4_000, 70_000_000, 3];
  for (const [row, id] of ids.entries()) rows.set(id, row);
  expect(ids.map((id) => rows.find(id))).toEqual([0, 1, 2, 3, 4]);
  expect([1, 4, 4_001, 9_000, 70_000_001].map((id) => rows.find(id))).toEqual([-1, -1, -1, -1, -1]);
  expect([rows.size, rows.most]).toEqual([5, 70_000_000]);
});

test("rows are told by rising ids", () => {
  const rows = new TaskRows();
  for (const [row, id] of [9, 2, 5].entries()) rows.set(id, row);
  expect([...rows.rows()]).toEqual([1, 2, 0]);
  expect([...new TaskRows().rows()]).toEqual([]);
});
