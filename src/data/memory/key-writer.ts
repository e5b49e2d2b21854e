import { ByteWriter } from "../../job/byte-writer.ts";
import type { Key } from "../../job/index.ts";
import { writeKey } from "../../job/key-bytes.ts";
import { writeValue } from "../bytes/value-bytes.ts";

/** The tags of `key-bytes.ts` and `value-bytes.ts`. */
const STRING_KEY = 0x06;
const END = 0x00;
const STRING_VALUE = 0x09;
const UNDEFINED = 0x00;
const SMALL = 0x80;

/** For longer texts a decoder's own loop is faster. */
const LOOP_MAX = 256;

/** Keys and values that are not simple are written here first. */
const scratch = new ByteWriter(1024);

/**
 * Writes the key at `at`, if it ends before `end`. Returns its end; or, as a negative number, the
 * most bytes that it may take.
 */
export function putKey(bytes: Uint8Array, at: number, end: number, key: Key): number {
  if (typeof key === "string" && key.length <= LOOP_MAX) {
    const size = key.length;
    if (at + size + 2 > end) return -(3 * size + 2);
    if (putAscii(bytes, at + 1, key, 1)) {
      bytes[at] = STRING_KEY;
      bytes[at + 1 + size] = END;
      return at + size + 2;
    }
  }
  scratch.length = 0;
  writeKey(scratch, key);
  return putScratch(bytes, at, end);
}

/** Writes a value in the same way. */
export function putValue(bytes: Uint8Array, at: number, end: number, value: unknown): number {
  if (at + 2 > end) return -2;
  if (value === undefined) {
    bytes[at] = UNDEFINED;
    return at + 1;
  }
  if (typeof value === "number" && value >= 0 && value < SMALL && Number.isInteger(value)) {
    if (value > 0 || !Object.is(value, -0)) {
      bytes[at] = SMALL | value;
      return at + 1;
    }
  }
  if (typeof value === "string" && value.length < SMALL) {
    const size = value.length;
    if (at + size + 2 > end) return -(3 * size + 2);
    if (putAscii(bytes, at + 2, value, 0)) {
      bytes[at] = STRING_VALUE;
      bytes[at + 1] = size;
      return at + size + 2;
    }
  }
  scratch.length = 0;
  writeValue(scratch, value);
  return putScratch(bytes, at, end);
}

/** Returns false, with invalid bytes written, if a character is below `least` or not ASCII. */
function putAscii(bytes: Uint8Array, at: number, text: string, least: number): boolean {
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit > 0x7f || unit < least) return false;
    bytes[at + i] = unit;
  }
  return true;
}

function putScratch(bytes: Uint8Array, at: number, end: number): number {
  const { length } = scratch;
  if (at + length > end) return -length;
  if (length <= LOOP_MAX) {
    for (let i = 0; i < length; i++) bytes[at + i] = scratch.bytes[i] ?? 0;
  } else {
    bytes.set(scratch.view(), at);
  }
  return at + length;
}
