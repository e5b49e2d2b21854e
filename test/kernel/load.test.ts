import { expect, test } from "vitest";
import { loadKernel } from "../../src/data/kernel/load.ts";
import { KernelMemory } from "../../src/data/kernel/memory.ts";

test("the kernels are WebAssembly", () => {
  const { countLines } = loadKernel(new KernelMemory(1 << 20));
  expect(countLines.toString()).toContain("[native code]");
});

test("a memory gives places that are aligned and not 0, up to its limit", () => {
  const memory = new KernelMemory(1 << 20);
  const first = memory.tryTake(100) ?? 0;
  const second = memory.tryTake(1) ?? 0;
  expect([first, second]).toEqual([64, 192]);
  expect(memory.tryTake(memory.free + 1)).toBeUndefined();
  const rest = memory.tryTake(memory.free) ?? 0;
  memory.bytes[rest] = 7;
  expect(memory.free).toBe(0);
  memory.release(second);
  expect(memory.tryTake(memory.free)).toBe(second);
  expect(memory.bytes[rest]).toBe(7);
  expect(memory.view.byteLength).toBeLessThanOrEqual(1 << 20);
});
