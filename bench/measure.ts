import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

/** The size of V8's young generation. Nothing that a simulated task makes lives long. */
export const YOUNG_MB = 16;

/** Runs a script in a separate process with a fresh heap, and reads the numbers it prints. */
export function measure<K extends string>(
  script: string,
  args: readonly string[],
  names: readonly K[],
): Readonly<Record<K, number>> {
  const path = fileURLToPath(new URL(script, import.meta.url));
  const flag = `--max-semi-space-size=${YOUNG_MB}`;
  const text = execFileSync(process.execPath, [flag, path, ...args], {
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
