import { InputError } from "../../base/input-error.ts";
import { blamedFor, culpritOf } from "../../job/culprit.ts";
import type { AsyncStep } from "../../job/step.ts";
import { RunFileError } from "../bytes/run-format.ts";
import { quotedText } from "../formats/malformed.ts";

/**
 * User code threw, or returned a forbidden value: names the record or key, and keeps the place in
 * the code.
 */
export class UserCodeError extends Error {
  override readonly name = "UserCodeError";
  /** The file and line of the record, or the key. */
  readonly place: string;

  /** `record`: the beginning of its text. `tries`: how many times the code was tried. */
  constructor(place: string, cause: unknown, record?: string, tries = 1) {
    const what = cause instanceof Error ? describe(cause) : String(cause);
    const within = record === undefined ? "" : `, in ${record}`;
    super(`${place}: ${what}${within}${tries === 1 ? "" : `, after ${tries} tries`}`, { cause });
    this.place = place;
    const frames = cause instanceof Error ? framesOf(cause) : "";
    this.stack = `${this.name}: ${this.message}${frames}`;
  }
}

/**
 * Wraps an error thrown while user code was at a place, with that place and record; but returns an
 * error of the disk unchanged, since writing a pair may spill and reading a value may meet a
 * damaged run.
 */
export function atPlace(place: () => string, thrown: unknown, record?: unknown): unknown {
  return isOfDisk(thrown) ? thrown : new UserCodeError(place(), thrown, beginningOf(record));
}

/**
 * Wraps the error of an awaited call with the place and the record. Whatever its kind, the error is
 * the user's: calls touch none of the engine's files.
 */
export function inCall(
  { mapAsync, calls }: AsyncStep,
  at: { readonly place: string; readonly record: unknown },
  thrown: unknown,
): UserCodeError {
  const isRefused = thrown instanceof InputError && thrown.code === "bad-job";
  const tries = isRefused ? 1 : calls.retries + 1;
  return blamedFor(
    new UserCodeError(at.place, thrown, beginningOf(at.record), tries),
    culpritOf(thrown) ?? mapAsync,
  );
}

/** The beginning of the record as text, or as JSON; undefined if it has neither. */
function beginningOf(record: unknown): string | undefined {
  if (record === undefined || record instanceof Uint8Array) return undefined;
  if (typeof record === "string") return quotedText(record.slice(0, RECORD_MAX));
  try {
    const json = JSON.stringify(record, (_, value) =>
      typeof value === "bigint" ? String(value) : value,
    );
    return json?.slice(0, RECORD_MAX);
  } catch {
    return undefined;
  }
}

/** The most characters of a record that are shown. */
const RECORD_MAX = 100;

const DISK_CODES: readonly unknown[] = ["ENOSPC", "EDQUOT", "EIO", "EMFILE", "ENFILE", "EROFS"];

function isOfDisk(thrown: unknown): boolean {
  if (thrown instanceof RunFileError) return true;
  return thrown instanceof Error && "code" in thrown && DISK_CODES.includes(thrown.code);
}

const describe = (error: Error): string =>
  error.name === "Error" || error instanceof InputError
    ? error.message
    : `${error.name}: ${error.message}`;

/** The lines of a stack below its message. */
function framesOf(error: Error): string {
  const frames = (error.stack ?? "").split("\n").filter((line) => /^\s+at /.test(line));
  return frames.map((frame) => `\n${frame}`).join("");
}
