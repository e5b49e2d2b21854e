import { afterEach, expect, test, vi } from "vitest";
import { loadKernel } from "./load.ts";
import { KernelMemory } from "./memory.ts";

afterEach(() => void vi.unstubAllEnvs());

const isCompiled = (memory: KernelMemory): boolean =>
  loadKernel(memory).countLines.toString().includes("[native code]");

test("the kernels are WebAssembly, unless the environment says that they are not to be", () => {
  const memory = new KernelMemory(1 << 20);
  expect(isCompiled(memory)).toBe(process.env.BROOMWAGON_SIMD !== "off");
  vi.stubEnv("BROOMWAGON_SIMD", "off");
  expect(isCompiled(memory)).toBe(false);
  vi.stubEnv("BROOMWAGON_SIMD", "on");
  expect(isCompiled(memory)).toBe(true);
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
