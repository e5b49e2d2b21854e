import { InputError } from "../base/input-error.ts";

/** A symbol shared by all copies of this package: a job file may load its own copy. */
const CULPRIT = Symbol.for("broomwagon.culprit");

/**
 * Marks the error with the user's function whose result was refused: the error's stack has no line
 * of the user's. The first mark stays, since it is the nearest.
 */
export function blamed(error: unknown, culprit: object): unknown {
  const isRefusal = error instanceof InputError && error.code === "bad-job";
  if (isRefusal && !(CULPRIT in error)) Object.defineProperty(error, CULPRIT, { value: culprit });
  return error;
}

/** Undefined if the error is not about a function's result. */
export function culpritOf(error: unknown): object | undefined {
  if (typeof error !== "object" || error === null) return undefined;
  const culprit: unknown = Reflect.get(error, CULPRIT);
  return typeof culprit === "function" ? culprit : undefined;
}
