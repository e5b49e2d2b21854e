import type { Trace } from "../history/model.ts";

/** Reads one history from its decompressed bytes, in pieces of any size. */
export interface TraceReader {
  /** The next bytes; valid only during the call. */
  push(bytes: Uint8Array): void;
  /** The end of the bytes. Throws an InputError if there is nothing to diagnose. */
  end(): Trace;
}
