import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { AssertionError } from "../../base/assert.ts";
import type { Kernel } from "./kernel.ts";
import type { KernelMemory } from "./memory.ts";
import { twinKernel } from "./twin/index.ts";
import { webAssembly } from "./web-assembly.ts";

/** What is compiled, once a thread; a module that is undefined cannot run here. */
let compiled: { readonly module: object | undefined } | undefined;

/**
 * The kernels of a memory. Their TypeScript twins where WebAssembly or its SIMD is missing, or
 * where the variable BROOMWAGON_SIMD is `off`.
 */
export function loadKernel(memory: KernelMemory): Kernel {
  if (process.env.BROOMWAGON_SIMD === "off") return twinKernel(memory);
  compiled ??= { module: compile() };
  const { module } = compiled;
  if (module === undefined || memory.shared === undefined || webAssembly === undefined) {
    return twinKernel(memory);
  }
  const abort = (): never => {
    throw new AssertionError("a kernel has given up");
  };
  const env = { memory: memory.shared, abort };
  return new webAssembly.Instance<Kernel>(module, { env }).exports;
}

function compile(): object | undefined {
  const require = createRequire(import.meta.url);
  const bytes = readFileSync(require.resolve("broomwagon/kernel.wasm"));
  return webAssembly?.validate(bytes) ? new webAssembly.Module(bytes) : undefined;
}
