import { afterEach, describe, expect, test, vi } from "vitest";
import { InputError } from "../../src/base/input-error.ts";
import { KernelMemory } from "../../src/data/kernel/memory.ts";

afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

/** The kernels, or the error, of the first load in a thread. */
async function firstLoad(): Promise<unknown> {
  vi.resetModules();
  const { loadKernel } = await import("../../src/data/kernel/load.ts");
  const memory = await import("../../src/data/kernel/memory.ts");
  try {
    return loadKernel(new memory.KernelMemory(1 << 20));
  } catch (error) {
    return error;
  }
}

describe("the kernels are WebAssembly", () => {
  test("with SIMD", async () => {
    expect(await firstLoad()).toHaveProperty("countLines");
  });

  test("a Node without WebAssembly gets an error that says what to do", async () => {
    vi.stubGlobal("WebAssembly", undefined);
    expect(await firstLoad()).toMatchObject({
      name: InputError.name,
      code: "missing-capability",
      place: `node ${process.version} on ${process.arch}`,
      message: expect.stringMatching(/expected WebAssembly with SIMD: .*--jitless/),
    });
  });

  test("a processor without SIMD is named as the cause", async () => {
    const { Memory, Module, Instance } = Object(globalThis).WebAssembly;
    vi.stubGlobal("WebAssembly", { Memory, Module, Instance, validate: () => false });
    expect(await firstLoad()).toMatchObject({
      code: "missing-capability",
      message: expect.stringMatching(/expected WebAssembly with SIMD: .*SSE4\.1/),
    });
  });
});

test("a memory allocates aligned, non-zero places up to its limit", () => {
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
