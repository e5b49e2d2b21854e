import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { COLUMNS } from "../../src/data/kernel/kernel.ts";
import { textOf, upTo, where } from "./any.ts";
import { keyedNumber, latin1, numberKey, onBench, type Where } from "./bench.ts";
import { type Asked, csvRows } from "./twin/csv.ts";

/** Rows of cells, and the number of bytes read. */
const columnsOf = (text: string, { separator, fields, columns, room }: Asked, how?: Where) =>
  onBench((bench) => {
    const { at, end } = bench.put(Buffer.from(text, "latin1"), how);
    const wanted = bench.putU32(columns.flatMap(([column, kind]) => [column, COLUMNS[kind]]));
    const into = bench.take(8 * room * columns.length);
    const byte = separator.charCodeAt(0);
    const { csvColumns } = bench.kernel;
    const count = columns.length;
    const rows = csvColumns(at, end, byte, fields, wanted, count, into, room, bench.result);
    const cells = Array.from({ length: rows }, (_, row) =>
      columns.map(([, kind], i) => {
        const column = into + 8 * i * room;
        return kind === "bytes" ? bench.cell(column, row) : bench.f64(column + 8 * row);
      }),
    );
    return { cells, read: bench.u32(bench.result) - at };
  });

const kind = fc.constantFrom("bytes" as const, "integer" as const, "float" as const);
const someColumns = fc
  .uniqueArray(fc.tuple(fc.nat(2), kind), { selector: ([column]) => column })
  .map((columns) => columns.toSorted(([left], [right]) => left - right));
const separator = fc.constantFrom(",", ";", "\t");
const room = fc.integer({ min: 1, max: 9 });

test("columns agree with the twin for any bytes at any place", () => {
  fc.assert(
    fc.property(
      fc.oneof(textOf('0123456789,,,\n\n\r-.a"', 200), textOf("12,,\n\r-.", 200)),
      someColumns,
      fc.integer({ min: 1, max: 3 }),
      room,
      where,
      separator,
      (commas, wanted, fields, room, how, separator) => {
        const text = commas.replaceAll(",", separator);
        const columns = wanted.filter(([column]) => column < fields);
        const asked = { separator, fields, columns, room };
        expect(columnsOf(text, asked, how)).toEqual(csvRows(text, asked));
      },
    ),
    { numRuns: 500 },
  );
});

test("rows of numbers and text are returned, as many as fit", () => {
  const decimal = fc
    .tuple(fc.integer(), fc.nat(9999))
    .map(([whole, part]) => `${whole}.${String(part).padStart(4, "0")}`);
  const whole = fc.maxSafeInteger().map((x) => String((x % 10 ** 15) + 0));
  const field = fc.string({ unit: fc.constantFrom("a", "\xe9", " ", "\0", "-"), ...upTo(30) });
  const rows = fc.array(fc.tuple(whole, field, decimal), { minLength: 1, ...upTo(20) });
  const end = fc.constantFrom("\n", "\r\n", "\n\n");
  fc.assert(
    fc.property(rows, end, fc.boolean(), where, room, (rows, end, isEnded, how, room) => {
      const lines = rows.map((row) => `${row.join(",")}${end}`).join("");
      const text = isEnded ? lines : lines.slice(0, -end.length);
      const columns = [
        [0, "integer"],
        [1, "bytes"],
        [2, "float"],
      ] as const;
      const asked = { separator: ",", fields: 3, columns, room };
      const found = columnsOf(text, asked, how);
      expect(found).toEqual(csvRows(text, asked));
      expect(found.cells).toEqual(
        rows.slice(0, room).map(([x, word, y]) => [Number(x), word, Number(y)]),
      );
    }),
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
    const text = `${good}${odd}4,d\n`;
    const columns = [[0, "integer"]] as const;
    const { cells, read } = columnsOf(text, { separator: ",", fields: 2, columns, room: 9 });
    expect(cells).toEqual([[1], [22]]);
    expect(read).toBe(good.length);
  });

  test.each(["", "-", ".5", "5.", "1e3", "1..2", "1234567.890123456", "Infinity"])(
    "at %j, which is no float",
    (odd) => {
      const columns = [[0, "float"]] as const;
      const text = `-0.50,a\n${odd},b\n`;
      const { cells, read } = columnsOf(text, { separator: ",", fields: 2, columns, room: 9 });
      expect(cells).toEqual([[-0.5]]);
      expect(read).toBe(8);
    },
  );
});

test("a row with a field too many does not change memory behind the cells", () => {
  const columns = [[0, "bytes"]] as const;
  const asked = { separator: ",", fields: 1, columns, room: 1 };
  // The bench checks whether anything is written there.
  expect(columnsOf("1,2,3\n", asked)).toEqual({ cells: [], read: 0 });
  expect(columnsOf("1,2,3\n", { ...asked, columns: [] })).toEqual({ cells: [], read: 0 });
});

test("numbers become their keys", () => {
  const number = fc.oneof(fc.double(), fc.constantFrom(0, -0, Number.NaN, 1, -1));
  fc.assert(
    fc.property(fc.array(number, upTo(20)), (numbers) => {
      const keys = onBench((bench) => {
        const cells = bench.putF64(numbers);
        bench.kernel.numberKeys(cells, numbers.length);
        return numbers.map((_, i) => bench.u64(cells + 8 * i));
      });
      expect(keys).toEqual(numbers.map(numberKey));
      expect(keys.map(keyedNumber)).toEqual(numbers);
    }),
  );
});

test("all NaNs have one key, whatever their bits", () => {
  const found = onBench((bench) => {
    const cells = bench.putU64([0xfff8_0000_0000_0001n, 0x7ff8_0000_0000_0000n]);
    bench.kernel.numberKeys(cells, 2);
    return latin1(bench.memory.bytes.slice(cells, cells + 16));
  });
  expect(found.slice(0, 8)).toBe(found.slice(8));
});
