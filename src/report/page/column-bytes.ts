/**
 * A column of whole numbers as bytes: a flag, then a varint for each value. 0 stands for NaN; other
 * values are zigzagged and moved up by one. With flag 1 they are differences from the value before,
 * with flag 0 the values themselves: whichever is shorter.
 */
export function columnBytes(values: ArrayLike<number>): Uint8Array {
  const plain = encoded(values, false);
  const differences = encoded(values, true);
  return differences.length < plain.length ? differences : plain;
}

/** Throws a RangeError if the bytes do not hold exactly `count` values. */
export function columnFrom(bytes: Uint8Array, count: number): Float64Array {
  const isDifference = bytes[0] === 1;
  const values = new Float64Array(count);
  let at = 1;
  let before = 0;
  for (let i = 0; i < count; i++) {
    let value = 0;
    let scale = 1;
    for (;;) {
      const byte = bytes[at++];
      if (byte === undefined) throw new RangeError(`expected ${count} values, found ${i}`);
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) break;
      scale *= 128;
    }
    if (value === 0) {
      values[i] = Number.NaN;
      continue;
    }
    const code = value - 1;
    const signed = code % 2 === 1 ? -(code + 1) / 2 : code / 2;
    const known = isDifference ? before + signed : signed;
    values[i] = known;
    before = known;
  }
  if (at !== bytes.length) throw new RangeError(`expected ${count} values, found more`);
  return values;
}

function encoded(values: ArrayLike<number>, isDifference: boolean): Uint8Array {
  let bytes = new Uint8Array(values.length * 4 + 16);
  bytes[0] = isDifference ? 1 : 0;
  let at = 1;
  let before = 0;
  for (let i = 0; i < values.length; i++) {
    if (at + 10 > bytes.length) {
      const larger = new Uint8Array(2 * bytes.length);
      larger.set(bytes);
      bytes = larger;
    }
    const value = values[i] ?? Number.NaN;
    if (Number.isNaN(value)) {
      bytes[at++] = 0;
      continue;
    }
    const whole = Math.round(value);
    const shown = isDifference ? whole - before : whole;
    before = whole;
    // Numbers beyond 32 bits: no shifts.
    let code = (shown < 0 ? -2 * shown - 1 : 2 * shown) + 1;
    while (code >= 128) {
      bytes[at++] = (code % 128) | 0x80;
      code = Math.floor(code / 128);
    }
    bytes[at++] = code;
  }
  return bytes.slice(0, at);
}
