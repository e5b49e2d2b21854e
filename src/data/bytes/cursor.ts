/**
 * A stream of records sorted by key bytes, one at a time. After each `advance` that returned true,
 * `bytes` holds the record: its key from `keyStart` to `keyEnd`, its value from there to `end`.
 */
export interface Cursor {
  bytes: Uint8Array;
  keyStart: number;
  keyEnd: number;
  end: number;
  /** Moves to the next record; returns false if there is none. */
  advance(): boolean;
}

/**
 * Less than, equal to or greater than 0 if the first range's bytes come before, equal or come after
 * the second's.
 */
export function compareBytes(
  left: Uint8Array,
  leftStart: number,
  leftEnd: number,
  right: Uint8Array,
  rightStart: number,
  rightEnd: number,
): number {
  const length = Math.min(leftEnd - leftStart, rightEnd - rightStart);
  for (let i = 0; i < length; i++) {
    const difference = (left[leftStart + i] ?? 0) - (right[rightStart + i] ?? 0);
    if (difference !== 0) return difference;
  }
  return leftEnd - leftStart - (rightEnd - rightStart);
}
