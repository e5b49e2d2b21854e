import fc from "fast-check";
import { expect, test } from "vitest";
import { code, columnsBy, float64, int32, namesOfFloats, partOf, Rows } from "./rows.ts";

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
