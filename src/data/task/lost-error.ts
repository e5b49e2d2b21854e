import { setImmediate as turn } from "node:timers/promises";

/**
 * An error that reached no code of the user's: a promise was rejected that nothing awaits, or a
 * callback threw.
 */
export class LostError extends Error {
  override readonly name = "LostError";

  constructor(how: LostHow, cause: unknown) {
    const what = cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause);
    super(`${SAYS[how]}: ${what}`, { cause });
    // The place of the error is the user's line, and no line of the handler that heard of it.
    this.stack = (cause instanceof Error ? cause.stack : undefined) ?? this.message;
  }
}

type LostHow = "rejected" | "thrown";

const SAYS: Readonly<Record<LostHow, string>> = {
  rejected: "a promise that the code did not await was rejected",
  thrown: "the code threw in a callback",
};

/** From now on `tell` is called with the lost errors of this thread, and the thread goes on. */
export function watchLostErrors(tell: (error: LostError) => void): void {
  process.on("unhandledRejection", (reason) => tell(new LostError("rejected", reason)));
  process.on("uncaughtException", (thrown) => tell(new LostError("thrown", thrown)));
}

/**
 * Resolves when the lost errors of the work so far have been told: rejections at the end of the
 * current turn of the event loop, and the errors of timers that are due in the next.
 */
export async function passLostErrors(): Promise<void> {
  await turn();
  await turn();
}
