import { diskOfNode } from "./machine.ts";
import type { HostSpec, MapWork, ReduceWork } from "./scenario.ts";

/** A part of an attempt that uses one resource. */
export interface Step {
  readonly on: "input" | "disk" | "cores";
  readonly writes: boolean;
  /** Index into the task's stages. */
  readonly stage: number;
  /** Bytes, or milliseconds of a core. */
  readonly size: number;
  /** What it adds when done. */
  readonly score: number;
  readonly bytesRead: number;
  readonly bytesWritten: number;
}

type Part = Pick<Step, "on" | "writes" | "size"> & {
  /** Alone on its machine. */
  readonly ms: number;
  readonly bytesRead: number;
  readonly bytesWritten: number;
};

/**
 * Reads, computes, writes. A map's score is the share of its input that is done with; real maps do
 * all three at once, so each part counts by the time it takes alone.
 */
export function mapSteps(work: MapWork, inputBytes: number, host: HostSpec): Step[] {
  const outputBytes = inputBytes * work.outputPerInput;
  return steps(0, 1, [
    read("input", inputBytes, host),
    compute(inputBytes, work.cpuBytesPerMs),
    write(outputBytes, host),
  ]);
}

/** After the copy: sorting (a third), then reading, computing and writing (the last third). */
export function reduceSteps(work: ReduceWork, inputBytes: number, host: HostSpec): Step[] {
  const passes = inputBytes * work.sortPasses;
  return [
    ...steps(1, 1 / 3, [scratch(passes, host), scratch(passes, host)]),
    ...steps(2, 1 / 3, [
      scratch(inputBytes, host),
      compute(inputBytes, work.cpuBytesPerMs),
      write(inputBytes * work.outputPerInput, host),
    ]),
  ];
}

function steps(stage: number, share: number, parts: readonly Part[]): Step[] {
  const totalMs = parts.reduce((sum, { ms }) => sum + ms, 0);
  return parts.map(({ ms, ...part }) => ({
    ...part,
    stage,
    score: totalMs === 0 ? share / parts.length : (share * ms) / totalMs,
  }));
}

function read(on: "input" | "disk", bytes: number, host: HostSpec): Part {
  const ms = bytes / diskOfNode(host);
  return { on, writes: false, size: bytes, ms, bytesRead: bytes, bytesWritten: 0 };
}

/** Reads or writes of the attempt's own files: nobody counts them. */
function scratch(bytes: number, host: HostSpec): Part {
  return { ...read("disk", bytes, host), bytesRead: 0 };
}

function write(bytes: number, host: HostSpec): Part {
  return { ...read("disk", bytes, host), writes: true, bytesRead: 0, bytesWritten: bytes };
}

function compute(bytes: number, cpuBytesPerMs: number): Part {
  const ms = bytes / cpuBytesPerMs;
  return { on: "cores", writes: false, size: ms, ms, bytesRead: 0, bytesWritten: 0 };
}
