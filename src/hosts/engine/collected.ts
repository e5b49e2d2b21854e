import { dirname, join } from "node:path";
import { InputError } from "../../base/input-error.ts";
import { datasetRecords } from "../../data/task/dataset-file.ts";
import type { RunOptions } from "../../run/options.ts";
import type { RunResult } from "../../run/run-result.ts";

const directoryIn = (runDirectory: string): string => join(runDirectory, "output");

/** Where the output of a run stays that is to be printed. */
export const printedIn = (runDirectory: string): string => join(runDirectory, "printed");

/**
 * Where a run writes whose output stays within its own directory, and how: as values, if it
 * collects; or as the parts of one file.
 */
export function collecting<O extends RunOptions>(options: O, runDirectory: string): O {
  if (options.outputChange?.isOneFile) return { ...options, output: printedIn(runDirectory) };
  if (options.collect !== true) return options;
  const output = directoryIn(runDirectory);
  return { ...options, output, outputChange: { format: "records" } };
}

/** The records of one of its outputs, in the order of its parts. `name`: of several outputs. */
export async function* collectedRecords(
  result: Promise<RunResult>,
  name: string | undefined,
): AsyncGenerator<unknown, void, undefined> {
  const { output, runDirectory, parts } = await result;
  if (output !== directoryIn(runDirectory)) {
    throw new InputError("bad-flag", "records", "expected a run with `collect`");
  }
  const wanted = name === undefined ? output : join(output, name);
  const found = parts.filter(({ path }) => dirname(path) === wanted);
  // Each output has a part at least; where there is one output, no directory has its name.
  if (found.length === 0) {
    const names = new Set(parts.map(({ path }) => dirname(path).slice(output.length + 1)));
    const expected = names.has("")
      ? "no name, as there is one output"
      : [...names].sort().join(", ");
    throw new InputError("bad-flag", `records ${name ?? ""}`.trim(), `expected ${expected}`);
  }
  for (const { path } of found) yield* datasetRecords(path);
}
