import { InputFile } from "./input-file.ts";

const BLOCK_BYTES = 1024 * 1024;
const QUOTE = 0x22;

/**
 * Whether the count of a CSV file's quotes is odd before the byte that precedes each of these
 * rising places. In RFC 4180 an odd count means that the place is within a quoted field: a doubled
 * quote counts twice, and none may stand elsewhere. Only from the file's start can this be known.
 */
export function quotesBefore(
  { path, bytes }: { readonly path: string; readonly bytes: number },
  places: readonly number[],
): readonly ("even" | "odd")[] {
  // A file of one split needs no look.
  if (places.length <= 1) return places.map(() => "even");
  const file = new InputFile(path, bytes);
  try {
    const block = Buffer.allocUnsafe(BLOCK_BYTES);
    let at = 0;
    let quotes = 0;
    return places.map((place) => {
      while (at < place - 1) {
        const size = file.read(block, 0, Math.min(BLOCK_BYTES, place - 1 - at), at);
        quotes += countByte(block, QUOTE, size);
        at += size;
      }
      return quotes % 2 === 0 ? "even" : "odd";
    });
  } finally {
    file.close();
  }
}

function countByte(bytes: Buffer, byte: number, end: number): number {
  let count = 0;
  for (let at = bytes.indexOf(byte); at >= 0 && at < end; at = bytes.indexOf(byte, at + 1)) count++;
  return count;
}
