import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { COLUMNS } from "../../src/data/kernel/kernel.ts";
import { encodeKey } from "../../src/job/index.ts";
import { inKernel, type KernelBench, textOf } from "./bench.ts";

const COMMA = 0x2c;
const { bytes, integer, float } = COLUMNS;

interface Asked {
  readonly fields: number;
  readonly columns: readonly (readonly [column: number, kind: number])[];
  readonly room: number;
}

/** Rows of cells, and how many bytes were read. */
function columnsOf(bench: KernelBench, text: Uint8Array, asked: Asked, off = 0) {
  const { fields, columns, room } = asked;
  const { at, end } = bench.put(text, off);
  const wanted = bench.putU32(columns.flat());
  const into = bench.take(8 * room * columns.length);
  const { csvColumns } = bench.kernel;
  const count = columns.length;
  const rows = csvColumns(at, end, COMMA, fields, wanted, count, into, room, bench.result);
  const cells = Array.from({ length: rows }, (_, row) =>
    columns.map(([, kind], i) => {
      const cell = into + 8 * (i * room + row);
      if (kind !== bytes) return bench.memory.view.getFloat64(cell, true);
      const start = bench.u32(cell);
      return bench.text(start, start + bench.u32(cell + 4));
    }),
  );
  return { cells, read: bench.u32(bench.result) - at };
}

/** The same as `columnsOf`, from the text of the rows. */
function plainColumns(text: string, { fields, columns, room }: Asked) {
  const cells: (string | number)[][] = [];
  let read = 0;
  while (read < text.length && cells.length < room) {
    const newline = text.indexOf("\n", read);
    const next = newline < 0 ? text.length : newline + 1;
    const line = newline < 0 ? text.slice(read) : text.slice(read, newline).replace(/\r$/, "");
    if (line !== "") {
      const parts = line.split(",");
      const row = columns.map(([column, kind]) => plainCell(parts[column] ?? "", kind));
      const isGood = parts.length === fields && !line.includes('"');
      if (!isGood || row.some((cell) => cell === undefined)) break;
      cells.push(row.flatMap((cell) => cell ?? []));
    }
    read = next;
  }
  return { cells, read };
}

/** undefined: the kernel leaves it to others. */
function plainCell(text: string, kind: number): string | number | undefined {
  if (kind === bytes) return text;
  const form = kind === integer ? /^-?(0|[1-9][0-9]*)$/ : /^-?[0-9]+(\.[0-9]+)?$/;
  const isNumber = form.test(text) && text.replace(/[-.]/g, "").length <= 15;
  return isNumber && !(kind === integer && text === "-0") ? Number(text) : undefined;
}

test("columns are those of the text, whatever the bytes, wherever they are", () => {
  const kind = fc.constantFrom(bytes, integer, float);
  const columns = fc.uniqueArray(fc.tuple(fc.nat(2), kind), { selector: ([column]) => column });
  fc.assert(
    fc.property(
      textOf('0123456789,,,\n\n\r-.a"', 200),
      columns,
      fc.integer({ min: 1, max: 3 }),
      fc.integer({ min: 1, max: 9 }),
      fc.nat(63),
      (text, wanted, fields, room, off) => {
        const columns = wanted
          .filter(([column]) => column < fields)
          .sort(([left], [right]) => left - right);
        const asked = { fields, columns, room };
        const found = inKernel((bench) => columnsOf(bench, text, asked, off));
        expect(found).toEqual(plainColumns(Buffer.from(text).toString("latin1"), asked));
      },
    ),
    { numRuns: 1000 },
  );
});

test("rows of numbers and text come back", () => {
  const decimal = fc
    .tuple(fc.integer(), fc.nat(9999))
    .map(([whole, part]) => `${whole}.${String(part).padStart(4, "0")}`);
  const whole = fc.maxSafeInteger().map((x) => x % 10 ** 15);
  const field = fc.string({ unit: fc.constantFrom("a", "é", " ", "\0", "-"), maxLength: 30 });
  const row = fc.tuple(whole, field, decimal);
  fc.assert(
    fc.property(
      fc.array(row, { minLength: 1, maxLength: 20 }),
      fc.constantFrom("\n", "\r\n"),
      fc.boolean(),
      (rows, end, isEnded) => {
        const lines = rows.map((row) => `${row.join(",")}${end}`).join("");
        const text = Buffer.from(isEnded ? lines : lines.slice(0, -end.length));
        const columns = [
          [0, integer],
          [1, bytes],
          [2, float],
        ] as const;
        const { cells, read } = inKernel((bench) =>
          columnsOf(bench, text, { fields: 3, columns, room: 99 }),
        );
        expect(read).toBe(text.length);
        const latin1 = (one: string): string => Buffer.from(one).toString("latin1");
        expect(cells).toEqual(
          rows.map(([x, word, y]) => [x === 0 ? 0 : x, latin1(word), Number(y)]),
        );
      },
    ),
  );
});

describe("it stops", () => {
  const good = "1,a\n\n22,b\r\n";
  test.each([
    ["at a quote", '3,"c"\n'],
    ["at a quote within a column that nobody wants", '3,c"\n'],
    ["at fewer fields", "3\n"],
    ["at more fields", "3,c,d\n"],
    ["at what is no whole number", "3x,c\n"],
    ["at a number with a zero before it", "03,c\n"],
    ["at -0", "-0,c\n"],
    ["at a number that starts with a plus sign", "+3,c\n"],
    ["at an empty number", ",c\n"],
    ["at a number of 16 digits", "1234567890123456,c\n"],
    ["at digits behind which a byte has its high bit set", "3\xb0,c\n"],
  ])("%s", (_, odd) => {
    const text = Buffer.from(`${good}${odd}4,d\n`, "latin1");
    const asked = { fields: 2, columns: [[0, integer]], room: 9 } as const;
    const { cells, read } = inKernel((bench) => columnsOf(bench, text, asked));
    expect(cells).toEqual([[1], [22]]);
    expect(read).toBe(good.length);
  });

  test.each(["", "-", ".5", "5.", "1e3", "1..2", "1234567.890123456", "Infinity"])(
    "at %j, which is no float",
    (odd) => {
      const asked = { fields: 2, columns: [[0, float]], room: 9 } as const;
      const text = Buffer.from(`-0.50,a\n${odd},b\n`);
      const { cells, read } = inKernel((bench) => columnsOf(bench, text, asked));
      expect(cells).toEqual([[-0.5]]);
      expect(read).toBe(8);
    },
  );
});

test("numbers become their keys", () => {
  fc.assert(
    fc.property(fc.array(fc.double(), { maxLength: 20 }), (numbers) => {
      const keys = inKernel((bench) => {
        const cells = bench.putF64(numbers);
        bench.kernel.numberKeys(cells, numbers.length);
        return numbers.map((_, i) => bench.memory.view.getBigUint64(cells + 8 * i, true));
      });
      const expected = numbers.map((x) => Buffer.from(encodeKey(x)).readBigUInt64BE(1));
      expect(keys).toEqual(expected);
    }),
  );
});
