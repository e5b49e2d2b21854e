import { expect, test } from "vitest";
import { itemLines } from "./item-lines.ts";

test("of a list, however it is written", () => {
  expect(itemLines('[{"a": [1,\n2]}, {},\n\n  {"b": "]\\"["},\n 5]')).toEqual([1, 2, 4, 5]);
  expect(itemLines("[]")).toEqual([]);
  expect(itemLines("[\n[\n1],\n[2]\n]")).toEqual([2, 4]);
});

test("of a list in an object, beside others", () => {
  const json = `{
    "faults-of-others": [1, 2],
    "jobs": [{ "faults": [1,
      2] }],
    "faults": [
      { "kind": "kill", "at": [3, 4] },
      {
        "kind": "slow" }
    ],
    "study": [7]
  }`;
  expect(itemLines(json, "faults")).toEqual([6, 7]);
});
