/** The first `bytes` (at most 8) at `at` as a little-endian number; up to 8 bytes are read. */
@inline
export function leading(at: usize, bytes: u32): u64 {
  const all = load<u64>(at);
  return bytes >= 8 ? all : all & ((<u64>1 << (<u64>bytes * 8)) - 1);
}

/**
 * The first 8 bytes as a big-endian number, padded with zeros: the numbers sort as the bytes do.
 */
@inline
export function firstBytes(at: usize, bytes: u32): u64 {
  return bswap<u64>(leading(at, bytes));
}

/** The first `bytes` (at most 16) at `at`, followed by zeros; 16 bytes are read. */
@inline
export function leading16(at: usize, bytes: u32): v128 {
  const places = i8x16(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  return v128.and(v128.load(at), i8x16.lt_u(places, i8x16.splat(<i8>min<u32>(bytes, 16))));
}

/** The hash of a key whose first 16 bytes are `first`. Never 0. */
@inline
export function hashOf(first: v128, key: usize, bytes: u32, seed: u32): u32 {
  let hash = (i64x2.extract_lane(first, 0) ^ ((<u64>seed << 32) | <u64>bytes)) * 0x9e3779b97f4a7c15;
  hash ^= hash >> 32;
  hash = (hash ^ i64x2.extract_lane(first, 1)) * 0xc2b2ae3d27d4eb4f;
  for (let i: u32 = 16; i < bytes; i += 8) {
    hash ^= hash >> 32;
    hash = (hash ^ leading(key + i, bytes - i)) * 0x9e3779b97f4a7c15;
  }
  hash ^= hash >> 32;
  hash *= 0xd6e8feb86659fd93;
  return <u32>(hash >> 32) | 0x80000000;
}

/** 0 if the bytes are equal; otherwise below or above 0 as the left ones come before or after. */
export function compareBytes(left: usize, right: usize, bytes: u32): i32 {
  let i: u32 = 0;
  for (; i + 8 <= bytes; i += 8) {
    const a = load<u64>(left + i);
    const b = load<u64>(right + i);
    if (a !== b) return bswap<u64>(a) < bswap<u64>(b) ? -1 : 1;
  }
  const a = bswap<u64>(leading(left + i, bytes - i));
  const b = bswap<u64>(leading(right + i, bytes - i));
  return a === b ? 0 : a < b ? -1 : 1;
}

/** A prefix comes before the longer text. */
@inline
export function compareKeys(left: usize, leftBytes: u32, right: usize, rightBytes: u32): i32 {
  const order = compareBytes(left, right, min(leftBytes, rightBytes));
  if (order !== 0) return order;
  return leftBytes === rightBytes ? 0 : leftBytes < rightBytes ? -1 : 1;
}

/** Whether `bytes` bytes of `left` and `right` are the same. */
@inline
export function isSame(left: usize, right: usize, bytes: u32): bool {
  let i: u32 = 0;
  for (; i + 8 <= bytes; i += 8) if (load<u64>(left + i) !== load<u64>(right + i)) return false;
  return leading(left + i, bytes - i) === leading(right + i, bytes - i);
}

/** The bytes beyond the end that `copy` may read and write. */
export const OVERSHOOT: usize = 16;

/** Copies a few bytes in a loop, since a call of `memory.copy` costs more. */
@inline
export function copy(to: usize, from: usize, bytes: u32): void {
  if (bytes > 512) {
    memory.copy(to, from, bytes);
    return;
  }
  for (let i: u32 = 0; i < bytes; i += 16) v128.store(to + i, v128.load(from + i));
}

/** The marks that `marks` looks for; may be combined. */
export const ZERO: u32 = 1;
export const LINE_END: u32 = 2;
export const FIELD_END: u32 = 4;

/** The marks that occur: zero bytes, line feeds, and TABs or carriage returns. */
@inline
export function marks(at: usize, bytes: u32): u32 {
  let found: u32 = 0;
  let i: u32 = 0;
  for (; i + 16 <= bytes; i += 16) found |= marksAmong(v128.load(at + i), 0xffff);
  return found | marksAmong(v128.load(at + i), (1 << (bytes - i)) - 1);
}

/** The marks among those of the 16 bytes that the mask selects. */
@inline
function marksAmong(some: v128, mask: u32): u32 {
  // Most texts have nothing below a space.
  if ((<u32>i8x16.bitmask(i8x16.lt_u(some, i8x16.splat(0x0e))) & mask) === 0) return 0;
  const fields = v128.or(i8x16.eq(some, i8x16.splat(0x09)), i8x16.eq(some, i8x16.splat(0x0d)));
  let found: u32 = 0;
  if (<u32>i8x16.bitmask(i8x16.eq(some, i8x16.splat(0))) & mask) found |= ZERO;
  if (<u32>i8x16.bitmask(i8x16.eq(some, i8x16.splat(0x0a))) & mask) found |= LINE_END;
  if (<u32>i8x16.bitmask(fields) & mask) found |= FIELD_END;
  return found;
}

/** The number of zero bytes. */
@inline
export function zeros(at: usize, bytes: u32): u32 {
  const none = i8x16.splat(0);
  let count: u32 = 0;
  let i: u32 = 0;
  for (; i + 16 <= bytes; i += 16) {
    count += <u32>popcnt<u32>(i8x16.bitmask(i8x16.eq(v128.load(at + i), none)));
  }
  const rest = <u32>i8x16.bitmask(i8x16.eq(v128.load(at + i), none));
  return count + <u32>popcnt<u32>(rest & ((1 << (bytes - i)) - 1));
}
