/** Seven bits per byte, the least significant first; the high bit says that more follow. */
@inline
export function putVarint(at: usize, value: u64): usize {
  let place = at;
  let rest = value;
  while (rest >= 0x80) {
    store<u8>(place++, <u8>(rest | 0x80));
    rest >>= 7;
  }
  store<u8>(place++, <u8>rest);
  return place;
}

@inline
export function varintBytes(value: u64): u32 {
  return value === 0 ? 1 : (70 - <u32>clz(value)) / 7;
}

@inline
export function varintEnd(at: usize): usize {
  let place = at;
  while (load<u8>(place) >= 0x80) place++;
  return place + 1;
}

/** Reads a number of at most 32 bits. */
@inline
export function varint(at: usize): u32 {
  let value: u32 = load<u8>(at);
  if (value < 0x80) return value;
  value &= 0x7f;
  let place = at + 1;
  for (let shift: u32 = 7; true; shift += 7) {
    const byte: u32 = load<u8>(place++);
    value |= (byte & 0x7f) << shift;
    if (byte < 0x80) break;
  }
  return value;
}

/** Reads a number of at most 53 bits. */
@inline
export function longVarint(at: usize): u64 {
  let value: u64 = 0;
  let place = at;
  for (let shift: u64 = 0; true; shift += 7) {
    const byte: u64 = load<u8>(place++);
    value |= (byte & 0x7f) << shift;
    if (byte < 0x80) break;
  }
  return value;
}
