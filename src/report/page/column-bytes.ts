import { cell } from "../../base/rows.ts";
/**
 * A column of whole numbers as bytes: a flag, then a varint for each value. 0 stands for NaN; other
 * values are zigzagged and moved up by one. With flag 1 they are differences from the value before,
 * with flag 0 the values themselves: whichever is shorter.
 */
export function columnBytes(values: ArrayLike<number>): Uint8Array {
  const [plain, differences] = lengthsOf(values);
  const isDifference = differences < plain;
  return encoded(values, isDifference, isDifference ? differences : plain);
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

/** The bytes that the values take, and their differences. */
function lengthsOf(values: ArrayLike<number>): readonly [plain: number, differences: number] {
  let plain = 1;
  let differences = 1;
  let before = 0;
  for (let i = 0; i < values.length; i++) {
    const whole = Math.round(cell(values[i]));
    plain += bytesOf(codeOf(whole));
    differences += bytesOf(codeOf(whole - before));
    if (!Number.isNaN(whole)) before = whole;
  }
  return [plain, differences];
}

function encoded(values: ArrayLike<number>, isDifference: boolean, length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  bytes[0] = isDifference ? 1 : 0;
  let at = 1;
  let before = 0;
  for (let i = 0; i < values.length; i++) {
    const whole = Math.round(cell(values[i]));
    let code = codeOf(isDifference ? whole - before : whole);
    if (!Number.isNaN(whole)) before = whole;
    while (code >= 128) {
      bytes[at++] = (code % 128) | 0x80;
      code = Math.floor(code / 128);
    }
    bytes[at++] = code;
  }
  return bytes;
}

// Numbers beyond 32 bits: no shifts.
const codeOf = (whole: number): number => {
  if (Number.isNaN(whole)) return 0;
  return (whole < 0 ? -2 * whole - 1 : 2 * whole) + 1;
};

function bytesOf(code: number): number {
  let bytes = 1;
  for (let rest = code; rest >= 128; rest /= 128) bytes++;
  return bytes;
}
