import { type Cells, cell } from "../../base/rows.ts";

/**
 * A column as bytes, exact to the last bit. A flag, then a varint for each value, which is whole at
 * the first of these scales at which all values are: 0 stands for NaN, others are zigzagged and
 * moved up by one. With an odd flag they are differences from the value before, if that is shorter.
 */
const SCALES = [1, 1e3, 1e6];

/** The flag of any other column: its cells follow as they are in memory. */
const CELLS = 2 * SCALES.length;

export function columnBytes(values: Cells): Uint8Array {
  const found = SCALES.findIndex((scale) => areWhole(values, scale));
  if (found < 0) return cellBytes(values);
  const scaled: Scaled = { values, scale: cell(SCALES[found]) };
  const [plain, differences] = lengthsOf(scaled);
  const isDifference = differences < plain;
  const bytes = new Uint8Array(isDifference ? differences : plain);
  bytes[0] = 2 * found + Number(isDifference);
  write(scaled, isDifference, bytes);
  return bytes;
}

/**
 * Fills a column with what `columnBytes` wrote. Throws a RangeError if the bytes do not hold
 * exactly as many values.
 */
export function columnFrom<A extends Cells>(bytes: Uint8Array, into: A): A {
  const flag = cell(bytes[0]);
  const scale = SCALES[flag >> 1];
  let at = 1;
  let before = 0;
  if (scale === undefined) {
    at += into.byteLength;
    memoryOf(into).set(bytes.subarray(1, at));
  }
  for (let i = 0; scale !== undefined && i < into.length; i++) {
    let code = 0;
    let place = 1;
    for (;;) {
      // Beyond the end of the bytes nothing is added, and the check below fails.
      const byte = bytes[at++]!;
      code += (byte & 0x7f) * place;
      if (!(byte >= 0x80)) break;
      place *= 128;
    }
    if (code === 0) {
      into[i] = Number.NaN;
      continue;
    }
    const signed = code % 2 === 0 ? -code / 2 : (code - 1) / 2;
    before = flag % 2 === 1 ? before + signed : signed;
    into[i] = before / scale;
  }
  if (at !== bytes.length) throw new RangeError(`expected ${into.length} values, found others`);
  return into;
}

/** Sums and differences of such numbers are exact. */
const MOST = 1e15;

function areWhole(values: Cells, scale: number): boolean {
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    const whole = Math.round(value * scale);
    if (whole / scale === value && Math.abs(whole) < MOST && !Object.is(value, -0)) continue;
    if (!Number.isNaN(value)) return false;
  }
  return true;
}

interface Scaled {
  readonly values: Cells;
  readonly scale: number;
}

const wholeAt = ({ values, scale }: Scaled, i: number): number => Math.round(values[i]! * scale);

/** The bytes that the values take, and their differences. */
function lengthsOf(scaled: Scaled): readonly [plain: number, differences: number] {
  let plain = 1;
  let differences = 1;
  let before = 0;
  for (let i = 0; i < scaled.values.length; i++) {
    const whole = wholeAt(scaled, i);
    plain += bytesOfCode(codeOf(whole));
    differences += bytesOfCode(codeOf(whole - before));
    if (!Number.isNaN(whole)) before = whole;
  }
  return [plain, differences];
}

function write(scaled: Scaled, isDifference: boolean, bytes: Uint8Array): void {
  let at = 1;
  let before = 0;
  for (let i = 0; i < scaled.values.length; i++) {
    const whole = wholeAt(scaled, i);
    let code = codeOf(isDifference ? whole - before : whole);
    if (!Number.isNaN(whole)) before = whole;
    while (code >= 128) {
      bytes[at++] = (code % 128) | 0x80;
      code = Math.floor(code / 128);
    }
    bytes[at++] = code;
  }
}

// Numbers beyond 32 bits: no shifts.
const codeOf = (whole: number): number => {
  if (Number.isNaN(whole)) return 0;
  return (whole < 0 ? -2 * whole - 1 : 2 * whole) + 1;
};

function bytesOfCode(code: number): number {
  let bytes = 1;
  for (let rest = code; rest >= 128; rest /= 128) bytes++;
  return bytes;
}

function cellBytes(values: Cells): Uint8Array {
  const bytes = new Uint8Array(1 + values.byteLength);
  bytes[0] = CELLS;
  bytes.set(memoryOf(values), 1);
  return bytes;
}

/** Little endian on all machines that run a page. */
const memoryOf = ({ buffer, byteOffset, byteLength }: Cells): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);
