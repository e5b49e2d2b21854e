import { diskOfNode } from "./machine.ts";
import type { HostSpec, MapWork, ReduceWork } from "./scenario.ts";

/** A part of an attempt that uses one resource. */
export interface WorkStep {
  /**
   * disk: the attempt's own disk, for writing; scratch: files that the attempt wrote there, read
   * again; output: the disks of all nodes that receive the output, and the links to them; nothing:
   * the attempt waits.
   */
  readonly on: "input" | "disk" | "scratch" | "cores" | "output" | "nothing";
  readonly writes: boolean;
  /** Index into the task's stages. */
  readonly stage: number;
  /** Bytes, or milliseconds of a core. */
  readonly size: number;
  /** Milliseconds of a core that the step takes at the same time. */
  readonly computeMs: number;
  /** What the finished step adds. */
  readonly score: number;
  readonly bytesRead: number;
  readonly bytesWritten: number;
}

type Part = Pick<WorkStep, "on" | "writes" | "size"> & {
  readonly computeMs?: number;
  /** The part's time if it is alone on its machine. */
  readonly ms: number;
  readonly bytesRead: number;
  readonly bytesWritten: number;
};

/** The start of the attempt's process, which makes no progress. */
export const startSteps = (startMs: number): WorkStep[] =>
  steps(0, 0, [compute(startMs, { cpuBytesPerMs: 1, threads: 1 })]);

/**
 * Reads, computes, writes. A map's score is the share of its input that is processed; real maps do
 * all three at once, so each part counts by the time that it takes alone, unless the sort has a
 * score of its own.
 */
export function mapSteps(work: MapWork, inputBytes: number, host: HostSpec): WorkStep[] {
  const outputBytes = inputBytes * work.outputPerInput;
  const reads = read(inputBytes, host);
  const computes = compute(inputBytes, work);
  const both = { ...reads, ms: Math.max(reads.ms, computes.ms), computeMs: computes.size };
  const parts = work.readsAhead ? [both] : [reads, computes];
  const spilled = outputBytes * work.sortPasses;
  const sorts = [scratch("disk", spilled, host), scratch("scratch", spilled, host)];
  const ends = [...sorts, write(outputBytes, host)];
  const { sortScore } = work;
  const scored =
    sortScore === undefined
      ? steps(0, 1, [...parts, ...ends])
      : [...steps(0, 1 - sortScore, parts), ...steps(0, sortScore, ends)];
  return [...startSteps(work.startMs), ...scored];
}

/**
 * The steps after the fetches: the fetched data may go to disk, which ends the copy and shows no
 * progress; then sorting (a third); then reading, computing and writing (the last third).
 */
export function reduceSteps(work: ReduceWork, inputBytes: number, host: HostSpec): WorkStep[] {
  const kept = work.copiesToDisk ? inputBytes : 0;
  const passes = inputBytes * work.sortPasses;
  return [
    ...steps(0, 0, [scratch("disk", kept, host)]),
    ...steps(1, 1 / 3, [scratch("disk", passes, host), scratch("scratch", passes, host)]),
    ...steps(2, 1 / 3, [
      scratch("scratch", inputBytes, host),
      compute(inputBytes, work),
      ...writeOutput(inputBytes * work.outputPerInput, host, work),
    ]),
    ...steps(2, 0, [wait(work.commitMs)]),
  ];
}

function steps(stage: number, share: number, parts: readonly Part[]): WorkStep[] {
  const totalMs = parts.reduce((sum, { ms }) => sum + ms, 0);
  return parts.map(({ ms, ...part }) => ({
    computeMs: 0,
    ...part,
    stage,
    score: totalMs === 0 ? share / parts.length : (share * ms) / totalMs,
  }));
}

function read(bytes: number, host: HostSpec): Part {
  const ms = bytes / diskOfNode(host);
  return { on: "input", writes: false, size: bytes, ms, bytesRead: bytes, bytesWritten: 0 };
}

/** Reads or writes of the attempt's own files, which count as no progress. */
function scratch(on: "disk" | "scratch", bytes: number, host: HostSpec): Part {
  const ms = bytes / scratchRate(host);
  return { on, writes: false, size: bytes, ms, bytesRead: 0, bytesWritten: 0 };
}

function write(bytes: number, host: HostSpec): Part {
  return { ...scratch("disk", bytes, host), writes: true, bytesWritten: bytes };
}

const scratchRate = (host: HostSpec): number => host.pageCache?.bytesPerMs ?? diskOfNode(host);

/** Writes block by block, each as fast as the slowest of the disks and links on its way. */
function writeOutput(
  bytes: number,
  host: HostSpec,
  { outputReplicas, outputBlockBytes }: ReduceWork,
): readonly Part[] {
  if (outputReplicas === 1) return [write(bytes, host)];
  const blocks = Math.max(1, Math.ceil(bytes / outputBlockBytes));
  const size = bytes / blocks;
  const rate = Math.min(scratchRate(host), host.upBytesPerMs, host.downBytesPerMs);
  return Array.from({ length: blocks }, () => {
    return { ...write(size, host), on: "output", ms: size / rate };
  });
}

const wait = (ms: number): Part => {
  return { on: "nothing", writes: false, size: ms, ms, bytesRead: 0, bytesWritten: 0 };
};

function compute(
  bytes: number,
  { cpuBytesPerMs, threads }: Pick<MapWork, "cpuBytesPerMs" | "threads">,
): Part {
  const ms = bytes / cpuBytesPerMs;
  const part = { on: "cores", writes: false, bytesRead: 0, bytesWritten: 0 } as const;
  return { ...part, size: ms, ms: ms / threads };
}
