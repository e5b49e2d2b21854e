import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

/** What a benchmark prints, as JSON, when it is run in a process of its own. */
export interface Measured {
  readonly tasks: number;
  readonly sumJct: number;
  readonly makespan: number;
  /** CPU time of the whole process, its start among it, on all threads. */
  readonly cpuMs: number;
  /** The most memory that the process held. */
  readonly rssBytes: number;
}

/** Runs the script so often, each time with a fresh heap, and takes the run of median CPU time. */
export function medianOf(runs: number, script: string, args: readonly string[]): Measured {
  const path = fileURLToPath(new URL(script, import.meta.url));
  const measured = Array.from({ length: runs }, () => measure(path, args));
  measured.sort((a, b) => (a.cpuMs < b.cpuMs ? -1 : a.cpuMs > b.cpuMs ? 1 : 0));
  const median = measured[measured.length >> 1];
  if (median === undefined) throw new Error("at least one run is needed");
  return median;
}

/** V8's young generation. What a simulated task needs lives as long as it: 16 MB are too few. */
const YOUNG_MB = 128;

function measure(path: string, args: readonly string[]): Measured {
  const flag = `--max-semi-space-size=${YOUNG_MB}`;
  const text = execFileSync(process.execPath, [flag, path, ...args], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
  const value: unknown = JSON.parse(text);
  return {
    tasks: numberIn(value, "tasks"),
    sumJct: numberIn(value, "sumJct"),
    makespan: numberIn(value, "makespan"),
    cpuMs: numberIn(value, "cpuMs"),
    rssBytes: numberIn(value, "rssBytes"),
  };
}

function numberIn(value: unknown, name: string): number {
  const found: unknown =
    typeof value === "object" && value !== null ? new Map(Object.entries(value)).get(name) : value;
  if (typeof found !== "number") throw new Error(`the benchmark printed no ${name}`);
  return found;
}

/** For the process that is measured: what it used so far. */
export function usage(): { readonly cpuMs: number; readonly rssBytes: number } {
  const { user, system } = process.cpuUsage();
  return {
    cpuMs: (user + system) / 1000,
    // The kernel counts it in kilobytes.
    rssBytes: process.resourceUsage().maxRSS * 1024,
  };
}
