import { byteAt, readVarint, writeVarint } from "./bytes.ts";

/** Values that are numbers, as bytes: docs/formats.md. */
const TAG = { natural: 0x04, negative: 0x05, float: 0x06, array: 0x0b } as const;
const SMALL = 0x80;

/** A value, and where it ends. */
interface Read<T> {
  readonly value: T;
  readonly end: number;
}

export function readNatural(bytes: Uint8Array, at: number): number | undefined {
  const tag = byteAt(bytes, at);
  if (tag >= SMALL) return tag - SMALL;
  return tag === TAG.natural ? readVarint(bytes, at + 1).value : undefined;
}

/** Undefined: it is no number. */
export function readNumber(
  view: DataView,
  bytes: Uint8Array,
  at: number,
): Read<number> | undefined {
  const tag = byteAt(bytes, at);
  if (tag >= SMALL) return { value: tag - SMALL, end: at + 1 };
  if (tag === TAG.float) return { value: view.getFloat64(at + 1, true), end: at + 9 };
  if (tag !== TAG.natural && tag !== TAG.negative) return undefined;
  const size = readVarint(bytes, at + 1);
  return { value: tag === TAG.natural ? size.value : -size.value, end: size.end };
}

/** Where the first of so many elements is; undefined: it is no such array. */
export const readArray = (bytes: Uint8Array, at: number, count: number): number | undefined =>
  byteAt(bytes, at) === TAG.array && byteAt(bytes, at + 1) === count ? at + 2 : undefined;

/** A number, or an array of two; undefined: it is neither. */
export function readSum(
  view: DataView,
  bytes: Uint8Array,
  at: number,
): Read<readonly number[]> | undefined {
  const single = readNumber(view, bytes, at);
  if (single !== undefined) return { value: [single.value], end: single.end };
  const first = readArray(bytes, at, 2);
  if (first === undefined) return undefined;
  const low = readNumber(view, bytes, first);
  if (low === undefined) return undefined;
  const high = readNumber(view, bytes, low.end);
  return high && { value: [low.value, high.value], end: high.end };
}

/** Whether its digits are written: a whole number up to 2^53 - 1 in size that is not -0. */
export const isWhole = (value: number): boolean =>
  Number.isSafeInteger(value) && !Object.is(value, -0);

/** Each of these returns where it ends. */
export function writeNumber(view: DataView, bytes: Uint8Array, at: number, value: number): number {
  if (!isWhole(value)) {
    bytes[at] = TAG.float;
    view.setFloat64(at + 1, value, true);
    return at + 9;
  }
  if (value >= 0 && value < SMALL) {
    bytes[at] = SMALL | value;
    return at + 1;
  }
  bytes[at] = value < 0 ? TAG.negative : TAG.natural;
  return writeVarint(bytes, at + 1, Math.abs(value));
}

export function writeArrayHead(bytes: Uint8Array, at: number, count: number): number {
  bytes[at] = TAG.array;
  bytes[at + 1] = count;
  return at + 2;
}

export function writeSum(
  view: DataView,
  bytes: Uint8Array,
  at: number,
  { high, low }: { readonly high: number; readonly low: number },
): number {
  if (low === 0) return writeNumber(view, bytes, at, high);
  const first = writeNumber(view, bytes, writeArrayHead(bytes, at, 2), low);
  return writeNumber(view, bytes, first, high);
}

/** The 8 bytes of a number's key, as a u64 in little-endian. */
export function writeNumberKey(view: DataView, at: number, value: number): void {
  view.setFloat64(at, Number.isNaN(value) ? Number.NaN : value, true);
  const high = view.getInt32(at + 4, true);
  const flip = high < 0 ? -1 : 0;
  view.setInt32(at + 4, high ^ (flip | 0x8000_0000), true);
  view.setInt32(at, view.getInt32(at, true) ^ flip, true);
}

export function readNumberKey(view: DataView, at: number): number {
  const high = view.getInt32(at + 4, true);
  const flip = high < 0 ? 0 : -1;
  float.setInt32(4, high ^ (flip | 0x8000_0000), true);
  float.setInt32(0, view.getInt32(at, true) ^ flip, true);
  return float.getFloat64(0, true);
}

const float = new DataView(new ArrayBuffer(8));
