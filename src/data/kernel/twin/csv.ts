import { CELL_BYTES, COLUMNS, type Kernel } from "../kernel.ts";
import type { KernelMemory } from "../memory.ts";
import { byteAt } from "./bytes.ts";
import { type Line, lineAt } from "./lines.ts";

const QUOTE = 0x22;
const MINUS = 0x2d;
const POINT = 0x2e;
const ZERO = 0x30;
const DIGITS_MAX = 15;

/** What every row is asked for: see `assembly/csv.ts`. */
interface Asked {
  readonly separator: number;
  readonly fields: number;
  readonly columns: readonly Column[];
}

interface Column {
  readonly number: number;
  readonly kind: number;
  /** Where the cell of the first row is. */
  readonly cells: number;
}

/** `assembly/csv.ts` */
export function csvTwin(memory: KernelMemory): Pick<Kernel, "csvColumns"> {
  return {
    csvColumns(at, end, separator, fields, columns, columnCount, into, room, result) {
      const { view } = memory;
      const asked = {
        separator,
        fields,
        columns: Array.from({ length: columnCount }, (_, i) => ({
          number: view.getUint32(columns + i * 8, true),
          kind: view.getUint32(columns + i * 8 + 4, true),
          cells: into + i * room * CELL_BYTES,
        })),
      };
      let rows = 0;
      let place = at;
      while (place < end && rows < room) {
        const line = lineAt(memory.bytes, place, end);
        if (line.end > line.start) {
          if (!putRow(memory, line, rows, asked)) break;
          rows++;
        }
        place = line.next;
      }
      view.setUint32(result, place, true);
      return rows;
    },
  };
}

/** False: the row is for others. */
function putRow(
  memory: KernelMemory,
  line: Line,
  row: number,
  { separator, fields, columns }: Asked,
): boolean {
  const { bytes } = memory;
  let field = 0;
  let put = 0;
  let start = line.start;
  for (let at = line.start; at <= line.end; at++) {
    const byte = at < line.end ? byteAt(bytes, at) : separator;
    if (byte === QUOTE) return false;
    if (byte !== separator) continue;
    const column = columns[put];
    if (column?.number === field) {
      if (!putCell(memory, column.cells + row * CELL_BYTES, column.kind, start, at)) return false;
      put++;
    }
    field++;
    start = at + 1;
  }
  return field === fields;
}

function putCell(
  { bytes, view }: KernelMemory,
  cell: number,
  kind: number,
  start: number,
  end: number,
): boolean {
  if (kind === COLUMNS.bytes) {
    view.setUint32(cell, start, true);
    view.setUint32(cell + 4, end - start, true);
    return true;
  }
  const isNegative = byteAt(bytes, start) === MINUS;
  const first = isNegative ? start + 1 : start;
  const isInteger = kind === COLUMNS.integer;
  // No zero before other digits, and no -0.
  const isZero = byteAt(bytes, first) === ZERO;
  if (isInteger && isZero && (isNegative || end - first > 1)) return false;
  const size = decimal(bytes, first, end, !isInteger);
  if (size === undefined) return false;
  view.setFloat64(cell, isNegative ? -size : size, true);
  return true;
}

/**
 * Digits, and, if it `mayHavePoint`, a point between them. Undefined: it is something else, or of
 * more than 15 digits. Digits and power of ten are exact, so their quotient is the nearest number.
 */
function decimal(
  bytes: Uint8Array,
  first: number,
  end: number,
  mayHavePoint: boolean,
): number | undefined {
  if (end - first > DIGITS_MAX + 1) return undefined;
  let size = 0;
  let digits = 0;
  let scale = 0;
  for (let at = first; at < end; at++) {
    const byte = byteAt(bytes, at);
    if (byte === POINT && mayHavePoint && scale === 0 && digits > 0 && at + 1 < end) {
      scale = 1;
    } else if (byte >= ZERO && byte < ZERO + 10) {
      size = size * 10 + byte - ZERO;
      digits++;
      scale *= 10;
    } else {
      return undefined;
    }
  }
  if (digits === 0 || digits > DIGITS_MAX) return undefined;
  return scale === 0 ? size : size / scale;
}
