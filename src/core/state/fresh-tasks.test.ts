import { expect, test } from "vitest";
import { taskId } from "../../model/ids.ts";
import { FreshTasks } from "./fresh-tasks.ts";

const make = (index: number) => ({ id: taskId(index), waiting: false, queueGeneration: 0, key: 0 });

test("the range begins behind the tasks that have gone from memory before it reached them", () => {
  const fresh = new FreshTasks({ size: 4, find: () => undefined, make });
  fresh.isWaiting = true;
  fresh.forget(1);
  fresh.forget(2);
  expect([0, 1, 2, 3].map((index) => fresh.has(index))).toEqual([true, false, false, true]);
  fresh.launched(0);
  expect(fresh.first).toBe(3);
  expect([fresh.isFirst(1), fresh.isFirst(3)]).toEqual([false, true]);
  expect([0, 1, 2, 3].map((index) => fresh.has(index))).toEqual([false, false, false, true]);
});
