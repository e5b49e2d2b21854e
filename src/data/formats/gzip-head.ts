import type { InputFile } from "./input-file.ts";
import { Malformed } from "./malformed.ts";

/** The optional fields of a member's head (RFC 1952, 2.3.1). */
const FLAG = { headChecksum: 2, extra: 4, name: 8, comment: 16, reserved: 0xe0 } as const;
const ID1 = 0x1f;
const ID2 = 0x8b;
const DEFLATE = 8;
const FIXED_BYTES = 10;

/** Bytes of the member's checksum and size, which follow the deflated bytes. */
export const TAIL_BYTES = 8;

/** The place where the deflated bytes of the member at `start` begin. */
export function headEnd(file: InputFile, start: number): number {
  const [id1, id2 = ID2] = file.slice(start, Math.min(start + 2, file.bytes));
  if (id1 !== ID1 || id2 !== ID2) throw malformed(file, start, "found no member there");
  const [, , method = 0, flags = 0] = fieldAt(file, start, FIXED_BYTES, start);
  if (method !== DEFLATE || (flags & FLAG.reserved) !== 0) {
    throw malformed(file, start, "found an unknown kind of member");
  }
  let at = start + FIXED_BYTES;
  if ((flags & FLAG.extra) !== 0) {
    const [low = 0, high = 0] = fieldAt(file, at, 2, start);
    at += 2 + low + 256 * high;
  }
  if ((flags & FLAG.name) !== 0) at = textEnd(file, at, start);
  if ((flags & FLAG.comment) !== 0) at = textEnd(file, at, start);
  return (flags & FLAG.headChecksum) === 0 ? at : at + 2;
}

/** The contents of a member's tail: its content's checksum, and its size modulo 2^32. */
export function readTail(file: InputFile, at: number): { crc: number; size: number } {
  const view = new DataView(fieldAt(file, at, TAIL_BYTES, at).buffer);
  return { crc: view.getUint32(0, true), size: view.getUint32(4, true) };
}

/** The place after the zero byte that ends a text. */
function textEnd(file: InputFile, from: number, start: number): number {
  for (let at = from; ; at++) if (fieldAt(file, at, 1, start)[0] === 0) return at + 1;
}

function fieldAt(file: InputFile, at: number, size: number, start: number) {
  if (at + size > file.bytes) throw malformed(file, start, "found its end within a member");
  return file.slice(at, at + size);
}

export const malformed = (file: InputFile, at: number, found: string): Malformed =>
  new Malformed(`expected a whole gzip file, ${found}`, { place: `${file.path}: byte ${at}` });
