import { createReadStream } from "node:fs";
import { passWithThisProcess, printedIn, type RunResult } from "../hosts/engine/index.ts";
import type { Shell } from "./shell.ts";

/** The output is not to stay: `--output -`. */
export const isToBePrinted = ({ output, runDirectory }: RunResult): boolean =>
  output === printedIn(runDirectory);

/** Puts the committed parts out, in order, one after the other; then they go. */
export async function printOutput(result: RunResult, { out }: Shell): Promise<RunResult> {
  const remove = passWithThisProcess(result.runDirectory, result.output);
  // Whoever reads may close the pipe, which ends this process.
  process.once("exit", remove);
  try {
    for (const { path } of result.parts) {
      for await (const bytes of createReadStream(path)) await out.send(bytes);
    }
    return { ...result, output: "standard output" };
  } finally {
    process.off("exit", remove);
    remove();
  }
}
