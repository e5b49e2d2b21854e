import { expect, test } from "vitest";
import { grouped } from "./grouped.ts";

test("items keep their order within a group, and groups the order of their first items", () => {
  const words = ["bee", "ant", "boar", "ape", "cat"];
  expect([...grouped(words, (word) => word[0])]).toEqual([
    ["b", ["bee", "boar"]],
    ["a", ["ant", "ape"]],
    ["c", ["cat"]],
  ]);
});
