import { isDate } from "./date.ts";

/**
 * What may be a key. Arrays are tuples: compared element by element, a prefix before its
 * extensions. Dates go by time.
 */
export type Key = string | number | bigint | boolean | null | Date | readonly Key[];

/** Whether a value, such as one that user code gives, may be a key. */
export const isKey = (value: unknown): value is Key =>
  value === null ||
  typeof value === "string" ||
  typeof value === "number" ||
  typeof value === "bigint" ||
  typeof value === "boolean" ||
  (Array.isArray(value) && value.every(isKey)) ||
  isDate(value);
