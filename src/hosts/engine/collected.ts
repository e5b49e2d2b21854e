import { dirname, join } from "node:path";
import { InputError } from "../../base/input-error.ts";
import { datasetRecords } from "../../data/task/dataset-file.ts";
import type { RunSettings } from "../../run/options.ts";
import type { RunResult } from "../../run/run-result.ts";

const directoryIn = (runDirectory: string): string => join(runDirectory, "output");

/** The directory that holds output to be printed. */
export const printedIn = (runDirectory: string): string => join(runDirectory, "printed");

/**
 * Redirects a run whose output stays within its own directory: as the parts of one file where the
 * user asked for one file, as values where the user asked to collect.
 */
export function collecting(settings: RunSettings, runDirectory: string): RunSettings {
  if (settings.outputChange?.isOneFile) return { ...settings, output: printedIn(runDirectory) };
  if (settings.collect !== true) return settings;
  const output = directoryIn(runDirectory);
  return { ...settings, output, outputChange: { format: "records" } };
}

/**
 * The records of one output, in the order of its parts. `name` chooses the output where there are
 * several.
 */
export async function* collectedRecords(
  { output, runDirectory, parts }: RunResult,
  name: string | undefined,
): AsyncGenerator<unknown, void, undefined> {
  if (output !== directoryIn(runDirectory)) {
    throw new InputError("bad-flag", "records", "expected a run with `collect`");
  }
  const wanted = name === undefined ? output : join(output, name);
  const found = parts.filter(({ path }) => dirname(path) === wanted);
  // Each output has at least one part; a single output has no directory named after it.
  if (found.length === 0) {
    const names = new Set(parts.map(({ path }) => dirname(path).slice(output.length + 1)));
    const expected = names.has("")
      ? "no name, as there is one output"
      : [...names].sort().join(", ");
    throw new InputError("bad-flag", `records ${name ?? ""}`.trim(), `expected ${expected}`);
  }
  for (const { path } of found) yield* datasetRecords(path);
}
