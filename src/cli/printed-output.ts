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

/** Whether the output is printed and not kept: `--output -`. */
export const isToBePrinted = ({ output, runDirectory }: RunResult): boolean =>
  output === printedIn(runDirectory);

/** Prints the committed parts in order, then removes them. */
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

/** A run that succeeded but whose output is not yet printed; undefined if there is none. */
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
