import fc from "fast-check";
import { expect, test } from "vitest";
import {
  type ColumnsOf,
  code,
  columnsBy,
  copyOf,
  float32,
  float64,
  int32,
  namesOfFloats,
  partOf,
  Rows,
  recordOf,
  rowCopier,
  wide,
} from "./rows.ts";

const SCHEMA = {
  task: int32("a task"),
  node: int32("a node", -1),
  end: code("an end", 255),
  ms: float64("ms"),
};

test("a row holds what was written, and the unknown value elsewhere", () => {
  const cells = fc.record({
    task: fc.option(fc.nat(), { nil: undefined }),
    node: fc.option(fc.nat(), { nil: undefined }),
    end: fc.option(fc.nat(9), { nil: undefined }),
    ms: fc.option(fc.double({ noNaN: true }), { nil: undefined }),
  });
  fc.assert(
    fc.property(fc.array(cells, { maxLength: 100 }), (list) => {
      const rows = new Rows(SCHEMA);
      for (const { end, ms, node, task } of list) {
        const row = rows.append();
        const { columns } = rows;
        if (task !== undefined) columns.task[row] = task;
        if (node !== undefined) columns.node[row] = node;
        if (end !== undefined) columns.end[row] = end;
        if (ms !== undefined) columns.ms[row] = ms;
      }
      expect(rows.length).toBe(list.length);
      const back = Uint32Array.from(list, (_, n) => list.length - 1 - n);
      const taken = rows.takeInOrder(back);
      const found = list.map((_, n) => [
        ...[taken.task[n], taken.node[n], taken.end[n], taken.ms[n]],
      ]);
      const expected = list
        .map(({ end, ms, node, task }) => [task ?? 0, node ?? -1, end ?? 255, ms ?? Number.NaN])
        .reverse();
      expect(found).toEqual(expected);
      expect(rows.length).toBe(0);
    }),
  );
});

test("a part shares the columns' memory", () => {
  const columns = columnsBy(SCHEMA, (_, { make }) => make(5).fill(1));
  const part = partOf(SCHEMA, columns, 2, 4);
  part.ms[0] = 7;
  expect([...columns.ms]).toEqual([1, 1, 7, 1, 1]);
  expect(part.task).toHaveLength(2);
});

test("floats are the columns that may hold NaN", () => {
  expect(namesOfFloats(SCHEMA)).toEqual(["ms"]);
});

const WIDE = { node: SCHEMA.node, points: wide(2, float32("two points")) };

/** Rows of a node and its two points. */
function wideRows(list: readonly (readonly [number, number, number])[]): Rows<typeof WIDE> {
  const rows = new Rows(WIDE);
  for (const [node, ...points] of list) {
    const row = rows.append();
    rows.columns.node[row] = node;
    rows.columns.points.set(points, 2 * row);
  }
  return rows;
}

const listOf = ({ node, points }: ColumnsOf<typeof WIDE>) => [[...node], [...points]];
const THREE = [
  [1, 10, 11],
  [2, 20, 21],
  [3, 30, 31],
] as const;

test("a wide column has several cells in each row", () => {
  const { columns } = wideRows(THREE);
  expect(listOf(partOf(WIDE, columns, 1, 3))).toEqual([
    [2, 3],
    [20, 21, 30, 31],
  ]);
  expect(listOf(wideRows(THREE).takeInOrder(Uint32Array.of(2, 0, 1)))).toEqual([
    [3, 1, 2],
    [30, 31, 10, 11, 20, 21],
  ]);
});

test("rows after a removed row move up; a row that is appended again is unknown", () => {
  const rows = wideRows(THREE);
  rows.remove(0);
  expect(listOf(partOf(WIDE, rows.columns, 0, rows.length))).toEqual([
    [2, 3],
    [20, 21, 30, 31],
  ]);
  rows.append();
  expect(listOf(partOf(WIDE, rows.columns, 2, 3))).toEqual([[-1], [Number.NaN, Number.NaN]]);
  rows.clear();
  expect(rows.length).toBe(0);
  const row = rows.append();
  expect(listOf(partOf(WIDE, rows.columns, row, row + 1))).toEqual([
    [-1],
    [Number.NaN, Number.NaN],
  ]);
});

test("a copy of a part has its own memory", () => {
  const { columns } = wideRows(THREE);
  const copy = copyOf(WIDE, columns, 1, 2);
  columns.points.fill(0);
  expect(listOf(copy)).toEqual([[2], [20, 21]]);
});

test("a row is copied to a place of another table, and a row that is not there is refused", () => {
  const copy = rowCopier(WIDE);
  const target = wideRows([[9, 9, 9], ...THREE]);
  copy(wideRows(THREE).columns, 2, target.columns, 0);
  expect(listOf(partOf(WIDE, target.columns, 0, 2))).toEqual([
    [3, 1],
    [30, 31, 10, 11],
  ]);
  expect(() => copy(wideRows([]).columns, 0, target.columns, 0)).toThrow("missing: a cell");
});

test("a record has a field for each name", () => {
  expect(recordOf(["a", "b"], (name) => `${name}!`)).toEqual({ a: "a!", b: "b!" });
});
