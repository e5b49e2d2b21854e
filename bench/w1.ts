import { measure } from "./measure.ts";

/**
 * Sums of job completion times and makespans in ms from five other simulators, from SimPy to
 * simcore, for the same workload.
 */
const PUBLISHED: ReadonlyMap<string, { readonly sumJct: number; readonly makespan: number }> =
  new Map([
    ["S", { sumJct: 246_211_424, makespan: 13_346_436 }],
    ["M", { sumJct: 2_188_627_006, makespan: 13_545_839 }],
    ["L", { sumJct: 20_314_945_713, makespan: 13_640_746 }],
    ["XL", { sumJct: 204_787_650_859, makespan: 46_537_468 }],
  ]);

export const SIZES: ReadonlySet<string> = new Set(PUBLISHED.keys());

/** Small sizes vary more from run to run. */
const RUNS: ReadonlyMap<string, number> = new Map([
  ["S", 5],
  ["M", 3],
]);

const MODES = ["kernel", "full"] as const;
const FIGURES = ["tasks", "cpuMs", "sumJct", "makespan", "rssBytes", "allocatedBytes"] as const;

interface Row {
  readonly size: string;
  readonly mode: (typeof MODES)[number];
  /** Tasks per second of CPU time, including the start of the process. */
  readonly tasksPerSecond: number;
  readonly sumJct: number;
  readonly makespan: number;
  readonly rssBytes: number;
  /** On the heap, short-lived objects among them. */
  readonly allocatedBytesPerTask: number;
}

/** Prints a row for each size and mode; returns whether all answers are right. */
export function w1(sizes: readonly string[], print: (row: Row, text: string) => void): boolean {
  let right = true;
  for (const size of sizes) {
    for (const mode of MODES) {
      const row = rowOf(size, mode);
      print(row, rowText(row));
      right &&= isRight(row);
    }
  }
  return right;
}

const isRight = ({ size, sumJct, makespan }: Row): boolean => {
  const published = PUBLISHED.get(size);
  return published?.sumJct === sumJct && published.makespan === makespan;
};

/** The run of median CPU time. */
function rowOf(size: string, mode: Row["mode"]): Row {
  const runs = Array.from({ length: RUNS.get(size) ?? 1 }, () =>
    measure("./w1-run.js", [size, mode], FIGURES),
  );
  runs.sort((a, b) => a.cpuMs - b.cpuMs);
  const median = runs[runs.length >> 1];
  if (median === undefined) throw new Error("at least one run is needed");
  const { tasks, cpuMs, sumJct, makespan, rssBytes, allocatedBytes } = median;
  const tasksPerSecond = Math.round((tasks / cpuMs) * 1000);
  const allocatedBytesPerTask = Math.round(allocatedBytes / tasks);
  return { size, mode, tasksPerSecond, sumJct, makespan, rssBytes, allocatedBytesPerTask };
}

function rowText(row: Row): string {
  const { size, mode, tasksPerSecond, sumJct, makespan, rssBytes, allocatedBytesPerTask } = row;
  const speed = `${tasksPerSecond.toLocaleString("en")} tasks/s`.padStart(20);
  const memory = `${Math.round(rssBytes / 1e6)} MB`.padStart(8);
  const verdict = isRight(row) ? "as published" : "NOT as published";
  const name = `${size.padEnd(3)} ${mode.padEnd(7)}`;
  const allocated = `${allocatedBytesPerTask} B a task`.padStart(16);
  return `${name}${speed}${memory}${allocated}  sums ${sumJct}, ${makespan}: ${verdict}`;
}
