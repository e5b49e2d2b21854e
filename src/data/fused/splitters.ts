import { ENTRY_BYTES } from "../kernel/kernel.ts";
import type { Entries } from "../memory/entries.ts";
import type { Workspace } from "../memory/workspace.ts";

/** Keys that part others, in the kernels' memory. */
export interface Splitters {
  readonly places: readonly { readonly at: number; readonly bytes: number }[];
}

/** `keys` rise; those below the first are of partition 0, and a splitter's own key is above it. */
export function takeSplitters(space: Workspace, keys: readonly Uint8Array[]): Splitters {
  return {
    places: keys.map((key) => {
      const at = space.take(key.length);
      space.memory.bytes.set(key, at);
      return { at, bytes: key.length };
    }),
  };
}

/** What of sorted entries is of each partition. */
export function rangesOf(
  { kernel }: Workspace,
  { at, count }: Entries,
  { places }: Splitters,
): readonly Entries[] {
  const bounds = places.map((key) => kernel.lowerBound(at, count, key.at, key.bytes));
  return [0, ...bounds].map((from, i) => ({
    at: at + from * ENTRY_BYTES,
    count: (bounds[i] ?? count) - from,
  }));
}
