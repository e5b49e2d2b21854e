import { InputError } from "../../base/input-error.ts";
import type { ByteReader, ByteWriter } from "../../job/byte-writer.ts";
import { constantOf, tagOfConstant } from "../../job/constant-bytes.ts";
import { isDate, timeOf } from "../../job/date.ts";
import { bigintBytes, bigintOf } from "../../job/key-bytes.ts";
import { readText, writeText } from "../../job/wtf8.ts";

/**
 * Values as bytes: a tag, then the content. A value that can be written is read back equal;
 * functions, symbols and instances of classes are refused. The format is fixed
 * (docs/internals/formats.md). These tags share their range with the tags of constants.
 */
const TAG = {
  undefined: 0x00,
  natural: 0x04,
  negative: 0x05,
  float: 0x06,
  bigint: 0x07,
  negativeBigint: 0x08,
  string: 0x09,
  bytes: 0x0a,
  array: 0x0b,
  object: 0x0c,
  date: 0x0d,
} as const;

/** A byte of 0x80 or more is itself a whole number from 0 to 127. */
const SMALL = 0x80;

/** A deeper value is assumed to contain itself. */
const DEPTH_MAX = 1000;

export function writeValue(into: ByteWriter, value: unknown, depth = 0): void {
  if (typeof value === "number") writeNumber(into, value);
  else if (typeof value === "string") writeString(into, value);
  else if (value === undefined) into.byte(TAG.undefined);
  else if (value === null || typeof value === "boolean") into.byte(tagOfConstant(value));
  else if (typeof value === "bigint") writeBigint(into, value);
  else if (depth >= DEPTH_MAX) throw refusal(`one nested ${DEPTH_MAX} deep`);
  else if (Array.isArray(value)) writeArray(into, value, depth);
  else if (value instanceof Uint8Array) writeBytes(into, value);
  else if (isPlainObject(value)) writeObject(into, value, depth);
  else if (isDate(value)) writeDate(into, value);
  else throw refusal(Object.prototype.toString.call(value).slice(8, -1));
}

const refusal = (found: string): InputError =>
  new InputError(
    "bad-job",
    "value",
    `expected text, numbers, booleans, null, dates, bytes, arrays or plain objects, found ${found}`,
  );

function isPlainObject(value: unknown): value is object {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  // Checked by shape, since an object may come from another realm, such as a test's.
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function writeNumber(into: ByteWriter, value: number): void {
  if (!Number.isSafeInteger(value) || Object.is(value, -0)) {
    into.byte(TAG.float);
    writeFloat(into, value);
  } else if (value >= 0 && value < SMALL) {
    into.byte(SMALL | value);
  } else {
    into.byte(value < 0 ? TAG.negative : TAG.natural);
    writeVarint(into, Math.abs(value));
  }
}

function writeDate(into: ByteWriter, value: Date): void {
  into.byte(TAG.date);
  writeFloat(into, timeOf(value, "value"));
}

function writeFloat(into: ByteWriter, value: number): void {
  float.setFloat64(0, value, true);
  const bytes = into.reserve(8);
  for (let i = 0; i < 8; i++) bytes[into.length++] = float.getUint8(i);
}

const float = new DataView(new ArrayBuffer(8));

function writeString(into: ByteWriter, text: string): void {
  into.byte(TAG.string);
  const start = into.length;
  // The size comes first but is known last: room is left for an ASCII text's size, and enlarged if
  // the size needs more.
  const room = varintBytes(text.length);
  into.reserve(3 * text.length + 2 * VARINT_BYTES_MAX);
  into.length += room;
  writeText(into, text);
  const size = into.length - start - room;
  const more = varintBytes(size) - room;
  if (more > 0) into.reserve(more).copyWithin(start + room + more, start + room, into.length);
  into.length = start;
  writeVarint(into, size);
  into.length += size;
}

function writeBigint(into: ByteWriter, value: bigint): void {
  into.byte(value < 0n ? TAG.negativeBigint : TAG.bigint);
  const size = bigintBytes(value < 0n ? -value : value);
  writeVarint(into, size.length);
  into.append(size);
}

function writeBytes(into: ByteWriter, bytes: Uint8Array): void {
  into.byte(TAG.bytes);
  writeVarint(into, bytes.length);
  into.append(bytes);
}

function writeArray(into: ByteWriter, elements: readonly unknown[], depth: number): void {
  into.byte(TAG.array);
  writeVarint(into, elements.length);
  for (const element of elements) writeValue(into, element, depth + 1);
}

function writeObject(into: ByteWriter, object: object, depth: number): void {
  const entries = Object.entries(object);
  into.byte(TAG.object);
  writeVarint(into, entries.length);
  for (const [name, value] of entries) {
    writeString(into, name);
    writeValue(into, value, depth + 1);
  }
}

/** Whether the value that starts at `from.at` is an array of two; if so, moves past its header. */
export function isPairAt(from: ByteReader): boolean {
  if (from.bytes[from.at] !== TAG.array || from.bytes[from.at + 1] !== 2) return false;
  from.at += 2;
  return true;
}

/** Reads the value that starts at `from.at`, and moves past it. */
export function readValue(from: ByteReader): unknown {
  const tag = from.bytes[from.at++] ?? 0;
  if (tag >= SMALL) return tag - SMALL;
  switch (tag) {
    case TAG.undefined:
      return undefined;
    case TAG.natural:
      return readVarint(from);
    case TAG.negative:
      return -readVarint(from);
    case TAG.float:
      return readFloat(from);
    case TAG.bigint:
      return bigintOf(take(from));
    case TAG.negativeBigint:
      return -bigintOf(take(from));
    case TAG.string:
      return readString(from);
    case TAG.bytes:
      // A copy, since the source is soon refilled. `slice` of a Buffer would not copy.
      return new Uint8Array(take(from));
    case TAG.array:
      return Array.from({ length: readVarint(from) }, () => readValue(from));
    case TAG.object:
      return readObject(from);
    case TAG.date:
      return new Date(readFloat(from));
    default: {
      const constant = constantOf(tag);
      if (constant !== undefined) return constant;
      const expected = `expected a tag, found ${tag}`;
      throw new InputError("bad-input", `value byte ${from.at - 1}`, expected);
    }
  }
}

function readFloat(from: ByteReader): number {
  for (let i = 0; i < 8; i++) float.setUint8(i, from.bytes[from.at++] ?? 0);
  return float.getFloat64(0, true);
}

function take(from: ByteReader): Uint8Array {
  const size = readVarint(from);
  const start = from.at;
  from.at += size;
  return from.bytes.subarray(start, from.at);
}

function readString(from: ByteReader): string {
  const size = readVarint(from);
  const start = from.at;
  from.at += size;
  return readText(from.bytes, start, from.at);
}

function readObject(from: ByteReader): object {
  const entries: [string, unknown][] = [];
  const count = readVarint(from);
  for (let i = 0; i < count; i++) {
    from.at++; // The name's string tag.
    const name = readString(from);
    entries.push([name, readValue(from)]);
  }
  // Defines even a property named __proto__ as the object's own.
  return Object.fromEntries(entries);
}

/**
 * Seven bits per byte, the least significant first; the high bit says that more follow. Up to 2^53
 * - 1.
 */
export function writeVarint(into: ByteWriter, value: number): void {
  const bytes = into.reserve(VARINT_BYTES_MAX);
  let rest = value;
  while (rest >= 0x80) {
    bytes[into.length++] = 0x80 | (rest % 0x80);
    rest = Math.floor(rest / 0x80);
  }
  bytes[into.length++] = rest;
}

export function readVarint(from: ByteReader): number {
  let value = 0;
  for (let scale = 1; ; scale *= 0x80) {
    const byte = from.bytes[from.at++] ?? 0;
    value += (byte & 0x7f) * scale;
    if (byte < 0x80) return value;
  }
}

const VARINT_BYTES_MAX = 8;

function varintBytes(value: number): number {
  let bytes = 1;
  for (let rest = value; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes++;
  return bytes;
}
