import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

/**
 * Nothing that a simulated task makes lives long: V8's young generation is large enough for that,
 * and V8 does not guess which objects to put into the old one. Where it guesses wrong, the garbage
 * there takes a third more memory.
 */
export const HEAP_FLAGS = ["--max-semi-space-size=16", "--no-allocation-site-pretenuring"];

/** Runs a script in a separate process with a fresh heap, and reads the numbers it prints. */
export function measure<K extends string>(
  script: string,
  args: readonly string[],
  names: readonly K[],
): Readonly<Record<K, number>> {
  const path = fileURLToPath(new URL(script, import.meta.url));
  const text = execFileSync(process.execPath, [...HEAP_FLAGS, path, ...args], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
  const printed = new Map<string, unknown>(Object.entries(JSON.parse(text)));
  const numbers: Partial<Record<K, number>> = {};
  for (const name of names) {
    const found = printed.get(name);
    if (typeof found !== "number") throw new Error(`the benchmark printed no ${name}`);
    numbers[name] = found;
  }
  return numbers as Record<K, number>;
}

/** Called in the measured process: the resources used so far. */
export function usage(): { readonly cpuMs: number; readonly rssBytes: number } {
  const { user, system } = process.cpuUsage();
  return {
    // The CPU time of the whole process, including its start, on all threads.
    cpuMs: (user + system) / 1000,
    // The kernel counts memory in kilobytes.
    rssBytes: process.resourceUsage().maxRSS * 1024,
  };
}
