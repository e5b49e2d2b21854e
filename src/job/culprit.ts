import { InputError } from "../base/input-error.ts";

/** The same in each copy of this package: a job file may load one of its own. */
const CULPRIT = Symbol.for("broomwagon.culprit");

/**
 * The error, which from now on knows the user's function whose work was refused: its stack has no
 * line of the user's. The first who blames is right, being the nearest.
 */
export function blamed(error: unknown, culprit: object): unknown {
  const isRefusal = error instanceof InputError && error.code === "bad-job";
  if (isRefusal && !(CULPRIT in error)) Object.defineProperty(error, CULPRIT, { value: culprit });
  return error;
}

/** Undefined: no function's result was refused. */
export function culpritOf(error: unknown): object | undefined {
  if (typeof error !== "object" || error === null) return undefined;
  const culprit: unknown = Reflect.get(error, CULPRIT);
  return typeof culprit === "function" ? culprit : undefined;
}
