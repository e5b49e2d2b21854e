import { fileURLToPath } from "node:url";
import { InputError, type InputErrorCode } from "../../../base/input-error.ts";
import type { FailureCause } from "../../../model/event.ts";
import { FetchError } from "./fetch-error.ts";
import { FullHeapError } from "./heap.ts";
import { UserCodeError } from "./user-code-error.ts";

/** What an attempt threw. Plain data. */
export interface AttemptFailure {
  readonly cause: FailureCause;
  readonly message: string;
  /** The user's file and line. */
  readonly place?: string;
  readonly stack?: string;
}

/**
 * In words that lead its author to the line. `ours`: the directory of this package's code, none of
 * which is the user's.
 */
export function describeFailure(thrown: unknown, ours = OURS): AttemptFailure {
  if (!(thrown instanceof Error)) return { cause: "error", message: `thrown: ${String(thrown)}` };
  const cause = causeOf(thrown);
  // Its words are ours: what kind of error the user's code threw is in them.
  const isTold = [UserCodeError, InputError, FullHeapError].some((kind) => thrown instanceof kind);
  const message = isTold ? thrown.message : `${thrown.name}: ${thrown.message}`;
  const stack = thrown.stack ?? message;
  const place = userPlace(stack, ours);
  return place === undefined ? { cause, message, stack } : { cause, message, stack, place };
}

function causeOf(thrown: Error): FailureCause {
  if (thrown instanceof FetchError) return "output-unreadable";
  return thrown instanceof InputError && INPUT_CODES.includes(thrown.code) ? "bad-input" : "error";
}

/** Whoever reads the same files again finds the same. */
const INPUT_CODES: readonly InputErrorCode[] = ["bad-input", "missing-file"];

/** The first frame that is neither Node's nor ours, as `file:line`. */
export function userPlace(stack: string, ours = OURS): string | undefined {
  for (const frame of stack.split("\n")) {
    const found = /(?:\(|at )((?:file:\/\/|\/).+?):(\d+):\d+\)?$/.exec(frame.trim());
    const [, where, line] = found ?? [];
    if (where === undefined || line === undefined) continue;
    const file = where.startsWith("file://") ? fileURLToPath(where) : where;
    if (!file.startsWith(ours)) return `${file}:${line}`;
  }
  return undefined;
}

/** Where this package's compiled code is: the directory `dist` (or `src`). */
const OURS = fileURLToPath(new URL("../../../", import.meta.url));
