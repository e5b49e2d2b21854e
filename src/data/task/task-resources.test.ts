import { describe, expect, test } from "vitest";
import { meansOf, memoryShare, usualMemory } from "./task-resources.ts";

describe("the memory is shared by all slots that may be busy at once", () => {
  test("maps and reduces, each with a thread's own memory", () => {
    const cluster = { nodes: 2, slots: 2 };
    const { slots, taskBytes, heap } = memoryShare({ memoryBytes: 256e6, ...cluster });
    expect([slots, taskBytes]).toEqual([4, 18.8e6]);
    expect(heap.oldBytes).toBe(16e6 + 0.4 * 18.8e6);
    expect(heap.youngBytes).toBe(Math.floor((3 * 28.8e6) / 16));
    const usual = memoryShare(cluster);
    expect(usual.taskBytes).toBe(Math.floor((usualMemory() * 0.9) / 8 - 10e6));
    expect(usual.heap.youngBytes).toBeLessThanOrEqual(12 * 1024 * 1024);
  });

  test("with too little memory for all slots, fewer are busy at once", () => {
    for (const [nodes, slots] of [
      [8, 1],
      [2, 8],
    ] as const) {
      const share = memoryShare({ memoryBytes: 64e6, nodes, slots });
      expect([share.slots, share.slotsOfNode]).toEqual([2, 1]);
      const used = 2 * share.slots * (share.taskBytes + 10e6);
      expect(used).toBeLessThanOrEqual(64e6);
    }
  });

  test("there is always one slot", () => {
    const { slots, taskBytes } = memoryShare({ memoryBytes: 1e6, nodes: 2, slots: 2 });
    expect([slots, taskBytes]).toEqual([1, 4e6]);
  });

  test("a job may compress", () => {
    const query = { memoryBytes: 64e6, nodes: 1, slots: 1 };
    expect(meansOf({ compress: true, ...query })).toEqual({ compress: true, memoryBytes: 18.8e6 });
    expect(meansOf(query).compress).toBe(false);
  });
});
