import { expect, test } from "vitest";
import { meansOf, usualMemory } from "./task-means.ts";

test("the memory is shared by all slots that may be at work at once", () => {
  const cluster = { nodes: 2, slots: 2 };
  const means = { compress: false, memoryBytes: 16.8e6 };
  expect(meansOf({ memoryBytes: 256e6, ...cluster })).toEqual(means);
  const { memoryBytes } = meansOf({ compress: true, ...cluster });
  expect(memoryBytes).toBe(Math.floor((usualMemory() * 0.9) / 8) - 12e6);
  expect(meansOf({ memoryBytes: 64e6, nodes: 8, slots: 1 }).memoryBytes).toBe(3e6);
});
