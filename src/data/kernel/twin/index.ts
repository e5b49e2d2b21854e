import type { Kernel } from "../kernel.ts";
import type { KernelMemory } from "../memory.ts";
import { accumulateTwin } from "./accumulate.ts";
import { binsTwin } from "./bins.ts";
import { byteTableTwin } from "./byte-table.ts";
import { countsTwin } from "./counts.ts";
import { csvTwin } from "./csv.ts";
import { entriesTwin } from "./entries.ts";
import { linesTwin } from "./lines.ts";
import { mergeTwin } from "./merge.ts";
import { numberTableTwin } from "./number-table.ts";
import { partitionTwin } from "./partition.ts";
import { recordsTwin } from "./records.ts";
import { textTwin } from "./text.ts";

/**
 * The kernels in plain TypeScript: what they mean, against which the others are tested, and what
 * runs where WebAssembly or its SIMD is missing. A twin keeps nothing outside of the memory.
 */
export function twinKernel(memory: KernelMemory): Kernel {
  return {
    ...accumulateTwin(memory),
    ...binsTwin(memory),
    ...byteTableTwin(memory),
    ...countsTwin(memory),
    ...csvTwin(memory),
    ...entriesTwin(memory),
    ...linesTwin(memory),
    ...mergeTwin(memory),
    ...numberTableTwin(memory),
    ...partitionTwin(memory),
    ...recordsTwin(memory),
    ...textTwin(memory),
  };
}
