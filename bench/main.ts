/** `npm run bench -- w1 --size S,M,L [-o json]`: how fast, and whether the answer is right. */
import { parseArgs } from "node:util";
import { type Measured, medianOf } from "./measure.ts";

/**
 * Sums of job completion times and makespans in ms: what five other simulators, from SimPy to
 * simcore, give for the same workload.
 */
const PUBLISHED: ReadonlyMap<string, { readonly sumJct: number; readonly makespan: number }> =
  new Map([
    ["S", { sumJct: 246_211_424, makespan: 13_346_436 }],
    ["M", { sumJct: 2_188_627_006, makespan: 13_545_839 }],
    ["L", { sumJct: 20_314_945_713, makespan: 13_640_746 }],
    ["XL", { sumJct: 204_787_650_859, makespan: 46_537_468 }],
  ]);

/** Small sizes vary more from run to run. */
const RUNS: ReadonlyMap<string, number> = new Map([
  ["S", 5],
  ["M", 3],
]);

const MODES = ["kernel", "full"] as const;

interface Row {
  readonly size: string;
  readonly mode: (typeof MODES)[number];
  /** Per second of CPU time, the start of the process counted. */
  readonly tasksPerSecond: number;
  readonly sumJct: number;
  readonly makespan: number;
  readonly rssBytes: number;
}

const isRight = ({ size, sumJct, makespan }: Row): boolean => {
  const published = PUBLISHED.get(size);
  return published?.sumJct === sumJct && published.makespan === makespan;
};

function main(): void {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      size: { type: "string", default: "S,M,L" },
      format: { type: "string", short: "o", default: "table" },
    },
  });
  const sizes = values.size.split(",");
  const stranger = sizes.find((size) => !PUBLISHED.has(size));
  if (positionals.join(" ") !== "w1" || stranger !== undefined) {
    console.error("usage: npm run bench -- w1 --size S,M,L,XL [-o table|json]");
    process.exitCode = 2;
    return;
  }
  for (const size of sizes) {
    for (const mode of MODES) {
      const row = rowOf(size, mode, medianOf(RUNS.get(size) ?? 1, "./w1.js", [size, mode]));
      console.log(values.format === "json" ? JSON.stringify(row) : rowText(row));
      if (!isRight(row)) process.exitCode = 1;
    }
  }
}

function rowOf(size: string, mode: Row["mode"], measured: Measured): Row {
  const { tasks, cpuMs, sumJct, makespan, rssBytes } = measured;
  const tasksPerSecond = Math.round((tasks / cpuMs) * 1000);
  return { size, mode, tasksPerSecond, sumJct, makespan, rssBytes };
}

function rowText(row: Row): string {
  const { size, mode, tasksPerSecond, sumJct, makespan, rssBytes } = row;
  const speed = `${tasksPerSecond.toLocaleString("en")} tasks/s`.padStart(20);
  const memory = `${Math.round(rssBytes / 1e6)} MB`.padStart(8);
  const verdict = isRight(row) ? "as published" : "NOT as published";
  const name = `${size.padEnd(3)} ${mode.padEnd(7)}`;
  return `${name}${speed}${memory}  sums ${sumJct}, ${makespan}: ${verdict}`;
}

main();
