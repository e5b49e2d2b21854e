import { writeValue } from "../../../src/data/bytes/value-bytes.ts";
import { ByteWriter } from "../../../src/job/byte-writer.ts";
import { encodeKey, type Key } from "../../../src/job/index.ts";

export type Pair = readonly [key: Key, value: unknown];

/** A value as bytes: docs/internals/formats.md. */
export function encodeValue(value: unknown): Uint8Array {
  const writer = new ByteWriter();
  writeValue(writer, value);
  return writer.view().slice();
}

/** A record as in run files: the sizes of key and value, then key and value. */
export function encodeRecord([key, value]: Pair): Uint8Array {
  const [keyBytes, valueBytes] = [encodeKey(key), encodeValue(value)];
  const sizes = [keyBytes, valueBytes].flatMap(({ length }) => varint(length));
  return Buffer.concat([Uint8Array.from(sizes), keyBytes, valueBytes]);
}

/** Seven bits per byte, the lowest first; all bytes but the last have their high bit set. */
const varint = (size: number): number[] =>
  size < 0x80 ? [size] : [0x80 | (size & 0x7f), ...varint(size >> 7)];

/** The numbers that are written for a sum: one number, or two if one cannot hold it. */
export const sumValue = (high: number, low: number): unknown => (low === 0 ? high : [low, high]);

/**
 * A line of text; undefined if it needs escapes, or its value is neither text nor a whole number.
 */
export function lineOf(key: Key, value?: unknown): string | undefined {
  const isAlone = value === undefined;
  const isText = (one: unknown): one is number =>
    typeof one === "number" && Number.isSafeInteger(one) && !Object.is(one, -0);
  const isKey = typeof key === "string" && !(isAlone ? /\n/ : /[\t\n\r]/).test(key);
  if (!isKey && !isText(key)) return undefined;
  if (isAlone) return `${key}\n`;
  return isText(value) ? `${key}\t${value}\n` : undefined;
}
