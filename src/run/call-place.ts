import { InputError } from "../base/input-error.ts";
import { RunError } from "./run-result.ts";

/** The place in the user's program that called a function of the library. */
export class CallPlace {
  readonly #at: { readonly stack?: string } = {};

  /** `of`: the function that was called. */
  constructor(of: (...args: never[]) => unknown) {
    Error.captureStackTrace(this.#at, of);
  }

  /**
   * An error that came of the call later: a mistake of the user's or a failed job gets the stack of
   * the call. The error's own stack leads into our bundles, and Node would print the line there,
   * which has many thousand columns.
   */
  blame(error: unknown): unknown {
    if (!(error instanceof InputError || error instanceof RunError)) return error;
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    Error.captureStackTrace(error);
    Error.stackTraceLimit = stackTraceLimit;
    const frames = String(this.#at.stack).replace(/^.*\n?/, "");
    error.stack = `${error.name}: ${error.message}\n${frames}`;
    return error;
  }
}

/** Does the work of a function of the library that the user's program has called. */
export async function calledBy<T>(
  of: (...args: never[]) => unknown,
  work: () => Promise<T>,
): Promise<T> {
  const place = new CallPlace(of);
  try {
    return await work();
  } catch (error) {
    throw place.blame(error);
  }
}
