/** Thrown for a bug in this package; never for a fault of the cluster or a mistake of the user. */
export class AssertionError extends Error {
  override readonly name = "AssertionError";
}

/** Throws if this package has a bug. Always on; one claim each. */
export function assert(claim: boolean, message: string): asserts claim {
  if (!claim) throw new AssertionError(message);
}

/** The value, which must be defined. */
export function defined<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new AssertionError(`missing: ${what}`);
  return value;
}

/** The end of a switch over a union: the compiler proves that no variant gets here. */
export function never(value: never): never {
  throw new AssertionError(`unexpected: ${JSON.stringify(value)}`);
}
