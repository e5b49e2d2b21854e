import { InputError } from "../base/input-error.ts";

/**
 * Whether it is a `Date`, also one of another realm, such as a test's. An
 * instance of a user's own class is not: it would not come back as it was.
 */
export function isDate(value: unknown): value is Date {
  if (typeof value !== "object" || value === null) return false;
  if (Object.prototype.toString.call(value) !== "[object Date]") return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return isObject(prototype) && Object.hasOwn(prototype, "toISOString");
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

/** Its milliseconds since 1970; InputError if it is invalid. `by`: what it is given to. */
export function timeOf(date: Date, by: string): number {
  const time = date.getTime();
  if (!Number.isNaN(time)) return time;
  throw new InputError("bad-job", by, "expected a date, found an invalid Date");
}
