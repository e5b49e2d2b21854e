import { createReadStream, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { InputError } from "../base/input-error.ts";
import {
  isUnderWay,
  keep,
  passWithThisProcess,
  printedIn,
  type RunResult,
} from "../hosts/engine/index.ts";
import { here } from "./here.ts";
import type { Shell } from "./shell.ts";

/** The output is not to stay: `--output -`. */
export const isToBePrinted = ({ output, runDirectory }: RunResult): boolean =>
  output === printedIn(runDirectory);

/** Puts the committed parts out, in order, one after the other; then they go. */
export async function printOutput(result: RunResult, { out }: Shell): Promise<RunResult> {
  const remove = passWithThisProcess(result.runDirectory, result.output);
  // The reader may close the pipe, which ends this process.
  process.once("exit", remove);
  try {
    for (const { path } of result.parts) {
      for await (const bytes of createReadStream(path)) await out.send(bytes);
    }
  } catch (error) {
    keep(result.runDirectory);
    throw unwritable(result, error);
  } finally {
    process.off("exit", remove);
  }
  remove();
  return { ...result, output: "standard output" };
}

/** What is left of a run that succeeded, and could not be printed; undefined: nothing is. */
export function unprintedIn(runDirectory: string): RunResult | undefined {
  const summary = join(runDirectory, "summary.json");
  if (!existsSync(summary) || !existsSync(printedIn(runDirectory))) return undefined;
  const result: RunResult = JSON.parse(readFileSync(summary, "utf8"));
  return result.outcome === "succeeded" && !isUnderWay(runDirectory) ? result : undefined;
}

function unwritable({ id, output }: RunResult, error: unknown): InputError {
  const why = error instanceof Error ? error.message : String(error);
  const kept = `the output is kept in ${here(output)}, and resume ${id} prints it`;
  return new InputError("missing-file", "standard output", `${why}; ${kept}`);
}
