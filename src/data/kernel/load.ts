import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { AssertionError } from "../../base/assert.ts";
import type { Kernel } from "./kernel.ts";
import type { KernelMemory } from "./memory.ts";
import { compileModule, webAssembly } from "./web-assembly.ts";

/** The compiled module, one per thread. */
let compiled: object | undefined;

/** The kernels of a memory. Throws an InputError if Node lacks WebAssembly or its SIMD. */
export function loadKernel(memory: KernelMemory): Kernel {
  compiled ??= compileModule(kernelBytes());
  const abort = (): never => {
    throw new AssertionError("a kernel has given up");
  };
  const env = { memory: memory.shared, abort };
  const { Instance } = webAssembly();
  return new Instance<Kernel>(compiled, { env }).exports;
}

function kernelBytes(): Uint8Array {
  const require = createRequire(import.meta.url);
  return readFileSync(require.resolve("broomwagon/kernel.wasm"));
}
