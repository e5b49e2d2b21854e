import { cell } from "../../base/rows.ts";

/** One block of LZ4: sequences of literals and copies. undefined if the bytes are damaged. */
export function decodeLZ4(stored: Uint8Array, size: number): Uint8Array | undefined {
  const into = new Uint8Array(size);
  let from = 0;
  let at = 0;
  const lengthAt = (nibble: number): number => {
    if (nibble < 15) return nibble;
    let length = 15;
    for (let next = 255; next === 255 && from < stored.length; ) {
      next = cell(stored[from++]);
      length += next;
    }
    return length;
  };
  while (from < stored.length) {
    const token = cell(stored[from++]);
    const literals = lengthAt(token >> 4);
    if (from + literals > stored.length || at + literals > size) return undefined;
    into.set(stored.subarray(from, from + literals), at);
    from += literals;
    at += literals;
    if (from === stored.length) break;
    if (from + 2 > stored.length) return undefined;
    const offset = cell(stored[from]) | (cell(stored[from + 1]) << 8);
    from += 2;
    const length = lengthAt(token & 15) + 4;
    if (!copyBack(into, at, offset, length)) return undefined;
    at += length;
  }
  return at === size ? into : undefined;
}

/** Copies bytes that were written before; the copy may overlap itself. */
export function copyBack(into: Uint8Array, at: number, offset: number, length: number): boolean {
  if (!(offset > 0 && offset <= at && at + length <= into.length)) return false;
  if (offset >= length) into.copyWithin(at, at - offset, at - offset + length);
  else for (let i = 0; i < length; i++) into[at + i] = cell(into[at + i - offset]);
  return true;
}
