import { InputError } from "../../base/input-error.ts";

/** An error as one thread sends it to another; classes do not cross threads. */
export type ThreadError =
  | {
      readonly kind: "input";
      readonly code: InputError["code"];
      readonly place: string;
      readonly expected: string;
    }
  | { readonly kind: "bug"; readonly message: string; readonly stack: string | undefined };

export function threadErrorOf(error: unknown): ThreadError {
  if (error instanceof InputError) {
    const { code, place, message } = error;
    return { kind: "input", code, place, expected: message.slice(`${place}: `.length) };
  }
  if (error instanceof Error) {
    return { kind: "bug", message: error.message, stack: error.stack };
  }
  return { kind: "bug", message: String(error), stack: undefined };
}

/** Restores the error; a bug also names the unit of work that has it. */
export function errorFrom(error: ThreadError, unit: string): Error {
  if (error.kind === "input") return new InputError(error.code, error.place, error.expected);
  const bug = new Error(`${unit}: ${error.message}`);
  if (error.stack !== undefined) bug.stack = `${unit}: ${error.stack}`;
  return bug;
}
