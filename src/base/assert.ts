/** Thrown where our own code is wrong; never for what a cluster or a user does. */
export class AssertionError extends Error {
  override readonly name = "AssertionError";
}

/** Crashes if our own code is wrong. Always on; one claim each. */
export function assert(claim: boolean, message: string): asserts claim {
  if (!claim) throw new AssertionError(message);
}

/** The value, which must be there. */
export function defined<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new AssertionError(`missing: ${what}`);
  return value;
}

/** The end of a switch over a union: the compiler proves that no variant gets here. */
export function never(value: never): never {
  throw new AssertionError(`unexpected: ${JSON.stringify(value)}`);
}
