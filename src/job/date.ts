import { InputError } from "../base/input-error.ts";

/**
 * Whether a value is a `Date`, including one of another realm, such as a test's. An instance of a
 * user's subclass is not: it would be read back as a plain `Date`.
 */
export function isDate(value: unknown): value is Date {
  if (typeof value !== "object" || value === null) return false;
  if (Object.prototype.toString.call(value) !== "[object Date]") return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return isObject(prototype) && Object.hasOwn(prototype, "toISOString");
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

/**
 * The date's milliseconds since 1970; throws an InputError if it is invalid. `by`: the function or
 * step that got it.
 */
export function timeOf(date: Date, by: string): number {
  const time = date.getTime();
  if (!Number.isNaN(time)) return time;
  throw new InputError("bad-job", by, "expected a date, found an invalid Date");
}
