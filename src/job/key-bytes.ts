import { InputError } from "../base/input-error.ts";
import { type ByteReader, ByteWriter } from "./byte-writer.ts";
import { constantOf, tagOfConstant } from "./constant-bytes.ts";
import { isDate, timeOf } from "./date.ts";
import type { Key } from "./key.ts";
import { readText, writeText } from "./wtf8.ts";

/**
 * Encodes keys as bytes, without loss, so that comparing bytes is comparing keys (`compareKeys`).
 * Each key marks its own end, so keys may follow one another. The format is fixed
 * (docs/internals/formats.md). These tags share their range with the tags of constants.
 */
const TAG = {
  end: 0x00,
  number: 0x04,
  bigint: 0x05,
  string: 0x06,
  tuple: 0x07,
  date: 0x08,
} as const;

/** Follows a zero byte within a string, so that the zero does not end the string. */
const ESCAPE = 0xff;

export function encodeKey(key: Key): Uint8Array<ArrayBuffer> {
  const writer = new ByteWriter(64);
  writeKey(writer, key);
  return writer.bytes.slice(0, writer.length);
}

export function decodeKey(bytes: Uint8Array): Key {
  return readKey({ bytes, at: 0, end: bytes.length });
}

export function writeKey(into: ByteWriter, key: Key): void {
  if (typeof key === "string") {
    into.byte(TAG.string);
    writeString(into, key);
  } else if (typeof key === "number") {
    into.byte(TAG.number);
    writeNumber(into, key);
  } else if (typeof key === "bigint") {
    into.byte(TAG.bigint);
    writeBigint(into, key);
  } else if (Array.isArray(key)) {
    into.byte(TAG.tuple);
    for (const element of key) writeKey(into, element);
    into.byte(TAG.end);
  } else if (isDate(key)) {
    into.byte(TAG.date);
    writeNumber(into, timeOf(key, "key"));
  } else {
    into.byte(tagOfConstant(constant(key)));
  }
}

function constant(key: unknown): boolean | null {
  if (key === null || typeof key === "boolean") return key;
  const found = Object.prototype.toString.call(key).slice(8, -1);
  const expected = "expected a string, number, bigint, boolean, null, Date or an array of them";
  throw new InputError("bad-job", "key", `${expected}, found ${found}`);
}

/**
 * Reads the key at `from.at`, and moves past it; the key may be the last before `from.end`, or one
 * of several.
 */
export function readKey(from: ByteReader): Key {
  const tag = from.bytes[from.at++];
  switch (tag) {
    case TAG.number:
      return readNumber(from);
    case TAG.bigint:
      return readBigint(from);
    case TAG.string:
      return readString(from);
    case TAG.tuple:
      return readTuple(from);
    case TAG.date:
      return new Date(readNumber(from));
    default: {
      const constant = constantOf(tag);
      if (constant !== undefined) return constant;
      throw new InputError("bad-input", `key byte ${from.at - 1}`, `expected a tag, found ${tag}`);
    }
  }
}

function readTuple(from: ByteReader): readonly Key[] {
  const elements: Key[] = [];
  while (from.bytes[from.at] !== TAG.end) elements.push(readKey(from));
  from.at++;
  return elements;
}

function writeString(into: ByteWriter, text: string): void {
  let rest = text;
  for (let zero = rest.indexOf("\0"); zero >= 0; zero = rest.indexOf("\0")) {
    writeText(into, rest.slice(0, zero));
    into.byte(TAG.end);
    into.byte(ESCAPE);
    rest = rest.slice(zero + 1);
  }
  writeText(into, rest);
  into.byte(TAG.end);
}

function readString(from: ByteReader): string {
  const { bytes } = from;
  let text = "";
  for (;;) {
    const start = from.at;
    const end = bytes.indexOf(TAG.end, start);
    if (end < 0)
      throw new InputError("bad-input", `key byte ${start}`, "expected the string's end");
    text += readText(bytes, start, end);
    // The byte after the key may have any value, so an escape counts only within the key.
    if (end + 1 >= from.end || bytes[end + 1] !== ESCAPE) {
      from.at = end + 1;
      return text;
    }
    text += "\0";
    from.at = end + 2;
  }
}

const float = new DataView(new ArrayBuffer(8));

/** IEEE 754, big-endian; the sign bit is flipped, and all other bits too if it was set. */
function writeNumber(into: ByteWriter, x: number): void {
  float.setFloat64(0, Number.isNaN(x) ? Number.NaN : x);
  const high = float.getInt32(0);
  const flip = high < 0 ? -1 : 0;
  float.setInt32(0, high ^ (flip | 0x8000_0000));
  float.setInt32(4, float.getInt32(4) ^ flip);
  const bytes = into.reserve(8);
  for (let i = 0; i < 8; i++) bytes[into.length++] = float.getUint8(i);
}

function readNumber(from: ByteReader): number {
  for (let i = 0; i < 8; i++) float.setUint8(i, from.bytes[from.at++] ?? 0);
  const high = float.getInt32(0);
  const flip = high < 0 ? 0 : -1;
  float.setInt32(0, high ^ (flip | 0x8000_0000));
  float.setInt32(4, float.getInt32(4) ^ flip);
  return float.getFloat64(0);
}

const LENGTH_INLINE_MAX = 0x77;

/**
 * A head, then the size as big-endian bytes; all complemented for a negative number. The head is
 * 0x80 + the count of bytes; or, with more than 0x77 bytes, 0xf7 + the count of bytes of the count,
 * and then the count.
 */
function writeBigint(into: ByteWriter, key: bigint): void {
  const negative = key < 0n;
  const size = bigintBytes(negative ? -key : key);
  const start = into.length;
  if (size.length <= LENGTH_INLINE_MAX) {
    into.byte(0x80 + size.length);
  } else {
    const count = bigintBytes(BigInt(size.length));
    into.byte(0xf7 + count.length);
    into.append(count);
  }
  into.append(size);
  if (negative) complement(into.bytes, start, into.length);
}

function readBigint(from: ByteReader): bigint {
  const negative = (from.bytes[from.at] ?? 0) < 0x80;
  const take = (length: number): bigint => {
    // A copy, since it may be complemented; `slice` of a Buffer would not copy.
    const taken = new Uint8Array(from.bytes.subarray(from.at, from.at + length));
    from.at += length;
    if (negative) complement(taken, 0, taken.length);
    return bigintOf(taken);
  };
  const head = Number(take(1));
  const length = head - 0x80 <= LENGTH_INLINE_MAX ? head - 0x80 : Number(take(head - 0xf7));
  const size = take(length);
  return negative ? -size : size;
}

function complement(bytes: Uint8Array, start: number, end: number): void {
  for (let i = start; i < end; i++) bytes[i] = ~(bytes[i] ?? 0);
}

/** The bytes of a size, big-endian; none for 0. */
export function bigintBytes(size: bigint): Uint8Array {
  if (size === 0n) return new Uint8Array(0);
  const digits = size.toString(16);
  const even = digits.length % 2 === 0 ? digits : `0${digits}`;
  return Uint8Array.from({ length: even.length / 2 }, (_, i) =>
    Number.parseInt(even.slice(2 * i, 2 * i + 2), 16),
  );
}

export function bigintOf(bytes: Uint8Array): bigint {
  if (bytes.length === 0) return 0n;
  const digits = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0"));
  return BigInt(`0x${digits.join("")}`);
}
