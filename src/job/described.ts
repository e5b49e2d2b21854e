import { InputError } from "../base/input-error.ts";
import { isObject } from "../base/shape.ts";

export const isAsync = (value: object): boolean =>
  Object.prototype.toString.call(value).startsWith("[object Async");

/** A short text of a user's value, for a message; never throws. */
export function described(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value === "function") {
    return isAsync(value) ? "an async function, which only mapAsync takes" : "a function";
  }
  if (Array.isArray(value)) return "an array";
  if (!isObject(value)) return String(value);
  const format = "format" in value && isObject(value.format) ? value.format : {};
  if ("kind" in format && typeof format.kind === "string") return `${format.kind}(...)`;
  return "an object";
}

/**
 * Throws an InputError if an option is none of the allowed words. `undefined` means that the option
 * was not given.
 */
export function checkWord(value: unknown, words: readonly string[], place: string): void {
  if (value === undefined || words.some((word) => word === value)) return;
  const expected = words.map((word) => JSON.stringify(word)).join(" or ");
  throw new InputError("bad-job", place, `expected ${expected}, found ${described(value)}`);
}
