import { isDate } from "./date.ts";

/**
 * The types of keys. Arrays are tuples: compared element by element, a prefix before its
 * extensions. Dates are compared by time.
 */
export type Key = string | number | bigint | boolean | null | Date | readonly Key[];

/** Whether a value, such as one from user code, may be a key. */
export const isKey = (value: unknown): value is Key =>
  value === null ||
  typeof value === "string" ||
  typeof value === "number" ||
  typeof value === "bigint" ||
  typeof value === "boolean" ||
  (Array.isArray(value) && value.every(isKey)) ||
  isDate(value);
