/** A byte of memory, which is there. */
export const byteAt = (bytes: Uint8Array, at: number): number => bytes[at] ?? 0;

/** Below 0, 0 or above: as one comes before the other; a prefix comes first. */
export function compareBytes(
  bytes: Uint8Array,
  left: number,
  leftBytes: number,
  right: number,
  rightBytes: number,
): number {
  const shared = Math.min(leftBytes, rightBytes);
  for (let i = 0; i < shared; i++) {
    const order = byteAt(bytes, left + i) - byteAt(bytes, right + i);
    if (order !== 0) return order;
  }
  return leftBytes - rightBytes;
}

export function hasZero(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (bytes[at] === 0) return true;
  return false;
}

/** A key's first 8 bytes, the last one first, zeros where there are fewer. */
export function putFirstBytes(bytes: Uint8Array, at: number, key: number, count: number): void {
  for (let i = 0; i < 8; i++) bytes[at + 7 - i] = i < count ? byteAt(bytes, key + i) : 0;
}

/** A count of 64 bits, exact up to 2^53. */
export const readCount = (view: DataView, at: number): number =>
  view.getUint32(at, true) + view.getUint32(at + 4, true) * 2 ** 32;

export function writeCount(view: DataView, at: number, count: number): void {
  view.setUint32(at, count >>> 0, true);
  view.setUint32(at + 4, Math.floor(count / 2 ** 32), true);
}

/** A varint, and where it ends. */
export interface Varint {
  readonly value: number;
  readonly end: number;
}

export function readVarint(bytes: Uint8Array, at: number): Varint {
  let value = 0;
  let end = at;
  for (let scale = 1; ; scale *= 0x80) {
    const byte = byteAt(bytes, end++);
    value += (byte & 0x7f) * scale;
    if (byte < 0x80) return { value, end };
  }
}

/** Returns where it ends. */
export function writeVarint(bytes: Uint8Array, at: number, value: number): number {
  let place = at;
  let rest = value;
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes[place++] = 0x80 | (rest % 0x80);
  bytes[place++] = rest;
  return place;
}

/** Places of a record of a run file: `varint key bytes, varint value bytes, key, value`. */
export interface RecordPlaces {
  readonly key: number;
  readonly keyBytes: number;
  readonly value: number;
  readonly end: number;
}

export function readRecord(bytes: Uint8Array, at: number): RecordPlaces {
  const keyBytes = readVarint(bytes, at);
  const valueBytes = readVarint(bytes, keyBytes.end);
  const key = valueBytes.end;
  const value = key + keyBytes.value;
  return { key, keyBytes: keyBytes.value, value, end: value + valueBytes.value };
}
