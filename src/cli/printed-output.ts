import { createReadStream, existsSync } from "node:fs";
import { join } from "node:path";
import { InputError } from "../base/input-error.ts";
import {
  atLeast0,
  dictionary,
  holding,
  list,
  oneOf,
  Place,
  required,
  text,
} from "../base/shape.ts";
import {
  isUnderWay,
  keep,
  passWithThisProcess,
  printedIn,
  type RunResult,
} from "../hosts/engine/index.ts";
import { readJson } from "./files.ts";
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

/**
 * A run that succeeded but whose output is not yet printed; undefined if there is none. InputError
 * if the run's summary is damaged.
 */
export function unprintedIn(runDirectory: string): RunResult | undefined {
  const summary = here(join(runDirectory, "summary.json"));
  if (!existsSync(summary) || !existsSync(printedIn(runDirectory))) return undefined;
  const place = new Place("bad-input", summary);
  const json = readJson(summary, place.code);
  const { outcome } = anyResult.read(json, place);
  if (outcome !== "succeeded" || isUnderWay(runDirectory)) return undefined;
  return succeeded.read(json, place);
}

const anyResult = holding<RunResult>("the summary of a run", {
  outcome: required(oneOf(["succeeded", "failed", "killed"])),
});

const anObject = holding<object>("an object", {});
const objects = list(anObject);

/** What printing the output and the result relies on. */
const succeeded = holding<RunResult>(anyResult.expected, {
  id: required(text),
  job: required(text),
  discipline: required(text),
  runDirectory: required(text),
  journal: required(text),
  output: required(text),
  parts: required(
    list(
      holding<Part>("a part", {
        path: required(text),
        bytes: required(atLeast0),
        records: required(atLeast0),
      }),
    ),
  ),
  responseMs: required(atLeast0),
  phases: required(objects),
  counters: required(anObject),
  badRecords: required(anObject),
  attempts: required(objects),
  totals: required(dictionary(atLeast0)),
  nodes: required(objects),
  outputsLost: required(list(text)),
  outputsCopied: required(objects),
  recomputes: required(objects),
  faultsMissed: required(objects),
});

type Part = RunResult["parts"][number];

function unwritable({ id, output }: RunResult, error: unknown): InputError {
  const why = error instanceof Error ? error.message : String(error);
  const kept = `the output is kept in ${here(output)}, and resume ${id} prints it`;
  return new InputError("missing-file", "standard output", `${why}; ${kept}`);
}
