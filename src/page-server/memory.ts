import { setFlagsFromString } from "node:v8";

// Frames, and the lines of a journal, are garbage at once. V8's defaults let garbage pile up for
// speed, but a page is idle most of the time, and the job beside it needs the memory.

/** Flags for a process that serves a page: V8 reserves new space only when it starts. */
export const PAGE_NODE_FLAGS: readonly string[] = ["--max-semi-space-size=1"];

/** Lets the heaps of this process grow to 1.5 times their live objects, instead of four times. */
export function keepHeapsSmall(): void {
  setFlagsFromString("--heap-growing-percent=50");
}
