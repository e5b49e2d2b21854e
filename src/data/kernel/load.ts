import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { AssertionError } from "../../base/assert.ts";
import type { Kernel } from "./kernel.ts";
import type { KernelMemory } from "./memory.ts";
import { noSimd, webAssembly } from "./web-assembly.ts";

/** The compiled module, once a thread. */
let compiled: object | undefined;

/** The kernels of a memory. InputError where WebAssembly lacks SIMD. */
export function loadKernel(memory: KernelMemory): Kernel {
  compiled ??= compile();
  const abort = (): never => {
    throw new AssertionError("a kernel has given up");
  };
  const env = { memory: memory.shared, abort };
  const { Instance } = webAssembly();
  return new Instance<Kernel>(compiled, { env }).exports;
}

function compile(): object {
  const require = createRequire(import.meta.url);
  const bytes = readFileSync(require.resolve("broomwagon/kernel.wasm"));
  const { Module, validate } = webAssembly();
  if (!validate(bytes)) throw noSimd();
  return new Module(bytes);
}
