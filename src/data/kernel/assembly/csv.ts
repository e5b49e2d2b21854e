/** Columns of CSV whose fields have no quotes; other rows are left to the caller. */

const NEWLINE: u8 = 0x0a;
const RETURN: u8 = 0x0d;
const QUOTE: u8 = 0x22;
const MINUS: u8 = 0x2d;
const POINT: u8 = 0x2e;
const DIGIT_ZERO: u8 = 0x30;
const ZERO: u64 = 0x3030303030303030;
const TEN: u64 = 0x7676767676767676;
const HIGH: u64 = 0x8080808080808080;

/** Kinds of columns. */
const BYTES: u32 = 0;
const INTEGER: u32 = 1;
const DIGITS_MAX: u32 = 15;
/** A column number that no row reaches, even one with too many fields. */
const NO_COLUMN: u32 = 0xffffffff;

/** A bit for each of 16 bytes that ends a field or is a quote. */
@inline
function stops(at: usize, separator: v128): u64 {
  const bytes = v128.load(at);
  const found = v128.or(
    v128.or(i8x16.eq(bytes, separator), i8x16.eq(bytes, i8x16.splat(NEWLINE))),
    i8x16.eq(bytes, i8x16.splat(QUOTE)),
  );
  return <u64>(<u32>i8x16.bitmask(found));
}

/**
 * Cells of columns from the rows from `at` to `end`, which begin with a row; each row has `fields`
 * fields separated by `separator`. `columns`: for each wanted column u32 its number, rising, u32
 * its kind: bytes (u32 place, u32 bytes), integer or float (f64). The cells of the n-th wanted
 * column are at `into + n * room * 8`; at most `room` rows. Empty lines are skipped. Returns the
 * number of rows; `result`: u32 where to continue: before `end`, with room left, at a row with a
 * quote, another number of fields, or an invalid number (integer: `-?(0|[1-9][0-9]*)`, float:
 * `-?[0-9]+(.[0-9]+)?`, at most 15 digits, -0 no integer).
 */
export function csvColumns(
  at: usize,
  end: usize,
  separator: u8,
  fields: u32,
  columns: usize,
  columnCount: u32,
  into: usize,
  room: u32,
  result: usize,
): u32 {
  const separators = i8x16.splat(separator);
  const column = <usize>room * 8;
  let rows: u32 = 0;
  let row = at;
  let start = at;
  let field: u32 = 0;
  let wanted: u32 = 0;
  let next = columnCount > 0 ? load<u32>(columns) : NO_COLUMN;
  // A last line without an end ends at `end`.
  const isOpen = end > at && load<u8>(end - 1) !== NEWLINE;
  const last = isOpen ? end + 1 : end;
  for (let block = at; block < last && rows < room; block += 64) {
    let found =
      stops(block, separators) |
      (stops(block + 16, separators) << 16) |
      (stops(block + 32, separators) << 32) |
      (stops(block + 48, separators) << 48);
    if (last - block <= 64) {
      const rest = <u64>(end - block);
      if (rest < 64) found &= (<u64>1 << rest) - 1;
      if (isOpen) found |= <u64>1 << rest;
    }
    while (found !== 0) {
      const place = block + <usize>ctz(found);
      found &= found - 1;
      const isEnd = place === end || load<u8>(place) === NEWLINE;
      if (!isEnd && load<u8>(place) === QUOTE) return stopped(result, row, rows);
      const hasReturn = isEnd && place < end && place > start && load<u8>(place - 1) === RETURN;
      const close = hasReturn ? place - 1 : place;
      if (field === next) {
        const cell = into + <usize>wanted * column + (<usize>rows << 3);
        if (!putCell(cell, load<u32>(columns + (<usize>wanted << 3), 4), start, close)) {
          if (!isEnd || field > 0 || close > start) return stopped(result, row, rows);
        } else {
          wanted++;
          next = wanted < columnCount ? load<u32>(columns + (<usize>wanted << 3)) : NO_COLUMN;
        }
      }
      field++;
      start = place + 1;
      if (!isEnd) continue;
      const isEmpty = field === 1 && close === row;
      if (!isEmpty) {
        if (field !== fields) return stopped(result, row, rows);
        rows++;
      }
      row = start;
      field = 0;
      wanted = 0;
      next = columnCount > 0 ? load<u32>(columns) : NO_COLUMN;
      if (rows === room) break;
    }
  }
  return stopped(result, min(row, end), rows);
}

@inline
function stopped(result: usize, row: usize, rows: u32): u32 {
  store<u32>(result, <u32>row);
  return rows;
}

@inline
function putCell(cell: usize, kind: u32, start: usize, end: usize): bool {
  if (kind === BYTES) {
    store<u32>(cell, <u32>start);
    store<u32>(cell, <u32>(end - start), 4);
    return true;
  }
  return kind === INTEGER ? putInteger(cell, start, end) : putFloat(cell, start, end);
}

@inline
function putInteger(cell: usize, start: usize, end: usize): bool {
  const isNegative = load<u8>(start) === MINUS;
  const first = isNegative ? start + 1 : start;
  if (load<u8>(first) === DIGIT_ZERO && (end - first > 1 || isNegative)) return false;
  const size = wholeDigits(first, end);
  if (size < 0) return false;
  store<f64>(cell, isNegative ? -(<f64>size) : <f64>size);
  return true;
}

/**
 * The number that the digits from `first` to `end`, at most 15, give; below 0 if they are no
 * digits.
 */
@inline
function wholeDigits(first: usize, end: usize): i64 {
  const digits = <u32>(end - first);
  if (end <= first || digits > DIGITS_MAX) return -1;
  if (digits <= 8) return eightDigits(end, digits);
  const low = eightDigits(end, 8);
  const high = eightDigits(end - 8, digits - 8);
  return low < 0 || high < 0 ? -1 : high * 100000000 + low;
}

/** The number that the `count` (1 to 8) digits before `end` give; below 0 if they are no digits. */
@inline
function eightDigits(end: usize, count: u32): i64 {
  const unwanted = <u64>(8 - count) * 8;
  const wanted = ~(((<u64>1 << unwanted) - 1));
  const digits = (load<u64>(end - 8) & wanted) | (ZERO & ~wanted);
  const values = digits - ZERO;
  if ((((values + TEN) | values | digits) & HIGH) !== 0) return -1;
  const pairs = values * 10 + (values >> 8);
  const low = (pairs & 0x000000ff000000ff) * 0x000f424000000064;
  const high = ((pairs >> 16) & 0x000000ff000000ff) * 0x0000271000000001;
  return <i64>((low + high) >> 32);
}

/** Whole digits and a power of ten, both exact: their quotient is the nearest number. */
@inline
function putFloat(cell: usize, start: usize, end: usize): bool {
  const isNegative = load<u8>(start) === MINUS;
  const first = isNegative ? start + 1 : start;
  const whole = wholeDigits(first, end);
  if (whole >= 0) {
    store<f64>(cell, isNegative ? -(<f64>whole) : <f64>whole);
    return true;
  }
  if (end <= first || end - first > DIGITS_MAX + 1) return false;
  let size: u64 = 0;
  let decimals: i32 = -1;
  for (let at = first; at < end; at++) {
    const byte = load<u8>(at);
    const digit = <u64>byte - 0x30;
    if (digit < 10) {
      size = size * 10 + digit;
      if (decimals >= 0) decimals++;
    } else if (byte === POINT && decimals < 0 && at > first && at + 1 < end) {
      decimals = 0;
    } else {
      return false;
    }
  }
  if (decimals < 0) return false;
  const value = <f64>size / powerOfTen(<u32>decimals);
  store<f64>(cell, isNegative ? -value : value);
  return true;
}

/** Up to 15. */
@inline
function powerOfTen(exponent: u32): f64 {
  let power: f64 = 1;
  if (exponent & 1) power *= 10;
  if (exponent & 2) power *= 100;
  if (exponent & 4) power *= 10000;
  if (exponent & 8) power *= 100000000;
  return power;
}
