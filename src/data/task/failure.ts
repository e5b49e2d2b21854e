import { fileURLToPath } from "node:url";
import { InputError, type InputErrorCode } from "../../base/input-error.ts";
import { culpritOf } from "../../job/culprit.ts";
import type { FailureCause } from "../../model/event.ts";
import { FetchError } from "../bytes/fetch-error.ts";
import { functionPlace } from "./function-place.ts";
import { FullHeapError } from "./heap.ts";
import { LostError } from "./lost-error.ts";
import { UserCodeError } from "./user-code-error.ts";

/** The error of an attempt. Plain data. */
export interface AttemptFailure {
  readonly cause: FailureCause;
  readonly message: string;
  /** The user's file and line. */
  readonly place?: string;
  readonly stack?: string;
}

/**
 * Describes a failure so that the author of the code finds the line. `ours`: the directory of this
 * package's code, none of which is the user's.
 */
export function describeFailure(thrown: unknown, ours = OURS): AttemptFailure {
  if (!(thrown instanceof Error)) return { cause: "error", message: `thrown: ${String(thrown)}` };
  const cause = causeOf(thrown);
  // The text of these errors is this package's; it includes the kind of the user's error.
  const isOwn = [UserCodeError, InputError, FullHeapError, LostError].some(
    (kind) => thrown instanceof kind,
  );
  const message = isOwn ? thrown.message : `${thrown.name}: ${thrown.message}`;
  const stack = thrown.stack ?? message;
  const culprit = culpritOf(thrown) ?? culpritOf(thrown.cause);
  const place = userPlace(stack, ours) ?? (culprit && functionPlace(culprit));
  return place === undefined ? { cause, message, stack } : { cause, message, stack, place };
}

function causeOf(thrown: Error): FailureCause {
  if (thrown instanceof FetchError) return "output-unreadable";
  // A record's refused result is permanent: the user code would give the same result again.
  const { cause } = thrown;
  if (thrown instanceof UserCodeError && cause instanceof InputError) return causeOf(cause);
  return thrown instanceof InputError && LASTING.includes(thrown.code) ? "bad-input" : "error";
}

/** A retry reads the same files with the same code, and fails in the same way. */
const LASTING: readonly InputErrorCode[] = ["bad-input", "missing-file", "bad-job"];

/** The first frame that is neither Node's nor this package's, as `file:line`. */
export function userPlace(stack: string, ours = OURS): string | undefined {
  for (const frame of stack.split("\n")) {
    const found = /(?:\(|at (?:async )?)((?:file:\/\/|\/).+?):(\d+):\d+\)?$/.exec(frame.trim());
    const [, where, line] = found ?? [];
    if (where === undefined || line === undefined) continue;
    const file = where.startsWith("file://") ? fileURLToPath(where) : where;
    if (!file.startsWith(ours)) return `${file}:${line}`;
  }
  return undefined;
}

/** The directory of this package's compiled code: `dist` (or `src`). */
const OURS = fileURLToPath(new URL("../../", import.meta.url));
