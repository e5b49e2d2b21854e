import { fileURLToPath } from "node:url";
import { FetchError } from "../data/index.ts";
import { UserCodeError } from "../data/user-code-error.ts";
import type { AttemptFailure } from "../messages.ts";

/** What an attempt threw, in words that lead its author to the line. */
export function describeFailure(thrown: unknown): AttemptFailure {
  const cause = thrown instanceof FetchError ? "output-unreadable" : "error";
  if (!(thrown instanceof Error)) return { cause, message: `thrown: ${String(thrown)}` };
  // The data path has said already what kind of error the user's code threw.
  const message =
    thrown instanceof UserCodeError ? thrown.message : `${thrown.name}: ${thrown.message}`;
  const stack = thrown.stack ?? message;
  const place = userPlace(stack);
  return place === undefined ? { cause, message, stack } : { cause, message, stack, place };
}

/** The first frame that is neither Node's nor ours, as `file:line`. */
function userPlace(stack: string): string | undefined {
  for (const frame of stack.split("\n")) {
    const found = /(?:\(|at )((?:file:\/\/|\/).+?):(\d+):\d+\)?$/.exec(frame.trim());
    const [, where, line] = found ?? [];
    if (where === undefined || line === undefined) continue;
    const file = where.startsWith("file://") ? fileURLToPath(where) : where;
    if (!file.startsWith(OURS)) return `${file}:${line}`;
  }
  return undefined;
}

/** Where this package's compiled code is: the directory `dist` (or `src`). */
const OURS = fileURLToPath(new URL("../../../", import.meta.url));
