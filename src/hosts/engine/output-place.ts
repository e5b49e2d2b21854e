import { relative } from "node:path";
import { InputError } from "../../base/input-error.ts";
import { isDirectory, realPath } from "../../run/user-path.ts";

/** The inputs and directories of a run, and its intended output. */
export interface RunPaths {
  readonly output: string;
  readonly jobFile: string;
  readonly inputFiles: readonly string[];
  /** The files, directories and globs that named the input files. */
  readonly inputPaths: readonly string[];
  readonly runDirectory: string;
  readonly workingDirectory: string;
}

/**
 * The output is made and replaced as a whole. InputError if anything that the run needs is within
 * it, or if the next run would read it as input.
 */
export function checkOutputPlace(place: RunPaths): void {
  const output = realPath(place.output);
  const needed: readonly (readonly [what: string, path: string])[] = [
    ["the working directory", place.workingDirectory],
    ["the run directory", place.runDirectory],
    ["the job file", place.jobFile],
    ...place.inputFiles.map((file) => ["the input file", file] as const),
  ];
  for (const [what, path] of needed) {
    if (isWithin(realPath(path), output)) throw refusal(output, `it holds ${what} ${path}`);
  }
  for (const path of place.inputPaths) {
    if (!isDirectory(path) || !isWithin(output, realPath(path))) continue;
    const named = nameOf(path, place.workingDirectory);
    throw refusal(output, `it lies inside the input directory ${named}`);
  }
}

/** The path as a user in the working directory would write it. */
function nameOf(path: string, workingDirectory: string): string {
  const name = relative(workingDirectory, path);
  return name === "" || name.startsWith("..") ? path : name;
}

const refusal = (output: string, why: string): InputError =>
  new InputError("bad-flag", output, `this cannot be the output: ${why}; name another directory`);

function isWithin(path: string, directory: string): boolean {
  const start = directory.endsWith("/") ? directory : `${directory}/`;
  return path === directory || path.startsWith(start);
}
