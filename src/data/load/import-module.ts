import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { InputError, type InputErrorCode } from "../../base/input-error.ts";
import { culpritOf } from "../../job/culprit.ts";
import { functionPlace } from "../task/function-place.ts";

/**
 * Imports a user's module; InputError with the user's file and line if that fails. A module that is
 * its own entry is CommonJS, used in place.
 */
export async function importModule(
  entry: string,
  file: string,
  code: InputErrorCode,
): Promise<unknown> {
  try {
    return entry === file
      ? { default: requireAnew(file) }
      : await import(pathToFileURL(entry).href);
  } catch (error) {
    // Either the job's own call of defineJob found a mistake, or an export is missing.
    if (!(error instanceof Error)) throw error;
    const line = lineIn(error.stack ?? "", file);
    const culprit = culpritOf(error);
    const place =
      (culprit && functionPlace(culprit)) ?? (line === undefined ? file : `${file}:${line}`);
    const prefix = error.name === "Error" || error.name === "InputError" ? "" : `${error.name}: `;
    throw Object.assign(new InputError(code, place, `${prefix}${error.message}`), {
      cause: error,
    });
  }
}

/** The exports of a CommonJS module, which is evaluated even if it has been before. */
function requireAnew(file: string): unknown {
  const require = createRequire(file);
  const { [file]: known } = require.cache;
  delete require.cache[file];
  try {
    return require(file);
  } finally {
    if (known !== undefined) require.cache[file] = known;
  }
}

/** The line of the first frame of a stack that lies in the file. */
function lineIn(stack: string, file: string): string | undefined {
  const at = stack.indexOf(`${file}:`);
  return at < 0 ? undefined : /^\d+/.exec(stack.slice(at + file.length + 1))?.[0];
}
