import { expect, test } from "vitest";
import { recordOf } from "./record-of.ts";

test("each key has its own value, in the order of the keys", () => {
  const lengths = recordOf(["node", "gc"], (key) => key.length);
  expect(Object.entries(lengths)).toEqual([
    ["node", 4],
    ["gc", 2],
  ]);
});
