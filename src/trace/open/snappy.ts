import { cell } from "../../base/rows.ts";
import { copyBack } from "./lz4.ts";

/** One block of Snappy: its size, then literals and copies. undefined if the bytes are damaged. */
export function decodeSnappy(stored: Uint8Array): Uint8Array | undefined {
  let from = 0;
  let size = 0;
  for (let shift = 0; ; shift += 7) {
    const byte = stored[from++];
    if (byte === undefined || shift > 28) return undefined;
    size += (byte & 127) * 2 ** shift;
    if (byte < 128) break;
  }
  if (size > SIZE_MAX) return undefined;
  const into = new Uint8Array(size);
  let at = 0;
  /** NaN beyond the end: no length and no offset is NaN. */
  const little = (bytes: number): number => {
    if (from + bytes > stored.length) return Number.NaN;
    let value = 0;
    for (let i = 0; i < bytes; i++) value += cell(stored[from++]) * 2 ** (8 * i);
    return value;
  };
  while (from < stored.length) {
    const tag = cell(stored[from++]);
    if ((tag & 3) === 0) {
      const short = tag >> 2;
      const length = short < 60 ? short + 1 : little(short - 59) + 1;
      if (!(from + length <= stored.length && at + length <= size)) return undefined;
      into.set(stored.subarray(from, from + length), at);
      from += length;
      at += length;
      continue;
    }
    const isShort = (tag & 3) === 1;
    const length = isShort ? ((tag >> 2) & 7) + 4 : (tag >> 2) + 1;
    const offset = isShort ? (tag >> 5) * 256 + little(1) : little((tag & 3) === 2 ? 2 : 4);
    if (!copyBack(into, at, offset, length)) return undefined;
    at += length;
  }
  return at === size ? into : undefined;
}

/** No writer makes larger blocks; a damaged size must not take all memory. */
const SIZE_MAX = 64 * 1024 * 1024;
