import { parseArgs } from "node:util";
import { measure } from "../measure.ts";

export const WHATIF_USAGE: string = "npm run bench -- whatif [--attempts 10000] [-o json]";

/**
 * How long a what-if of a generated job takes: the policies that are tried by default, both
 * questions. Undefined if the arguments are no command.
 */
export function whatIfBench(args: readonly string[]): boolean | undefined {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      attempts: { type: "string", default: "10000" },
      format: { type: "string", short: "o", default: "table" },
    },
  });
  if (positionals.join(" ") !== "whatif" || !(Number(values.attempts) > 0)) return undefined;
  const { attempts, runs, cpuMs, rssBytes } = measure(
    "./whatif/what-if-run.js",
    [values.attempts],
    ["attempts", "runs", "cpuMs", "rssBytes"],
  );
  const usPerAttempt = (1_000 * cpuMs) / (runs * attempts);
  const row = { attempts, runs, cpuMs, usPerAttempt, rssBytes };
  const text =
    `what-if of ${attempts} attempts: ${(cpuMs / 1_000).toFixed(1)} s of processor time for ` +
    `${runs} runs, ${usPerAttempt.toFixed(1)} µs an attempt, ` +
    `${Math.round(rssBytes / 1e6)} MB of memory`;
  console.log(values.format === "json" ? JSON.stringify(row) : text);
  return true;
}
