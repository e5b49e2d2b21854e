import { InputError } from "../base/input-error.ts";

/** A symbol shared by all copies of this package: a job file may load its own copy. */
const CULPRIT = Symbol.for("broomwagon.culprit");

/**
 * Marks the error with the user's function whose result was refused: the error's stack has no line
 * of the user's. The first mark stays, since it is the nearest.
 */
export function blamed(error: unknown, culprit: object): unknown {
  const isRefusal = error instanceof InputError && error.code === "bad-job";
  return isRefusal ? blamedFor(error, culprit) : error;
}

/**
 * Marks the error with the user's function that it comes from. The stack may lack a line of the
 * user's: after a wait, the stack of a library's error can be the library's alone.
 */
export function blamedFor<E extends Error>(error: E, culprit: object): E {
  if (!(CULPRIT in error)) Object.defineProperty(error, CULPRIT, { value: culprit });
  return error;
}

/** Undefined if the error is marked with no function. */
export function culpritOf(error: unknown): object | undefined {
  if (typeof error !== "object" || error === null) return undefined;
  const culprit: unknown = Reflect.get(error, CULPRIT);
  return typeof culprit === "function" ? culprit : undefined;
}
