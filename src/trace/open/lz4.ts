/** One block of LZ4: sequences of literals and copies. undefined if the bytes are damaged. */
export function decodeLZ4(stored: Uint8Array, size: number): Uint8Array | undefined {
  const into = new Uint8Array(size);
  let from = 0;
  let at = 0;
  const lengthAt = (nibble: number): number => {
    if (nibble < 15) return nibble;
    let length = 15;
    for (let next = 255; next === 255 && from < stored.length; ) {
      next = stored[from++] ?? 0;
      length += next;
    }
    return length;
  };
  while (from < stored.length) {
    const token = stored[from++] ?? 0;
    const literals = lengthAt(token >> 4);
    if (from + literals > stored.length || at + literals > size) return undefined;
    into.set(stored.subarray(from, from + literals), at);
    from += literals;
    at += literals;
    if (from === stored.length) break;
    const offset = (stored[from] ?? 0) | ((stored[from + 1] ?? 0) << 8);
    from += 2;
    const length = lengthAt(token & 15) + 4;
    if (!copyBack(into, at, offset, length)) return undefined;
    at += length;
  }
  return at === size ? into : undefined;
}

/** Copies bytes that were written before; the copy may overlap itself. */
export function copyBack(into: Uint8Array, at: number, offset: number, length: number): boolean {
  if (offset === 0 || offset > at || at + length > into.length) return false;
  if (offset >= length) into.copyWithin(at, at - offset, at - offset + length);
  else for (let i = 0; i < length; i++) into[at + i] = into[at + i - offset] ?? 0;
  return true;
}
