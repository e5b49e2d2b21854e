import fc from "fast-check";
import { expect, test } from "vitest";
import { type AttemptTable, columnsOf, type PageHead } from "../report/page/document.ts";
import { arranged, ROWS_BY } from "./arranged.ts";

const HEAD: PageHead = {
  schema: "broomwagon/page@2",
  title: "",
  host: "engine",
  format: "journal",
  source: "",
  originMs: 0,
  endsAt: 100,
  nodes: [{ name: "a" }, { name: "b" }],
  jobs: [{ name: "job", submittedAt: 0, endedAt: 100, outcome: "succeeded" }],
  phases: ["map", "reduce"].map((name) => ({ job: 0, name, tasks: 5, reads: [] })),
  rows: Array.from({ length: 40 }, (_, n) => ({ node: n < 20 ? 0 : 1, kind: "map" })),
  slotsKnown: true,
  decisions: [],
  firstLaunches: 0,
  refusals: [],
  spans: [],
  lacks: [],
  notes: [],
  columns: [],
};

const attempt = fc.record({
  phase: fc.nat(1),
  task: fc.nat(4),
  startedAt: fc.nat(30),
  length: fc.nat(20),
});

test("each attempt has one bar; bars of a row do not overlap; a block is one task or phase", () => {
  fc.assert(
    fc.property(fc.array(attempt, { maxLength: 40 }), (all) => {
      const zeros = new Float64Array(all.length);
      const of = (value: (one: (typeof all)[number], n: number) => number) =>
        Float64Array.from(all, value);
      const attempts: AttemptTable = {
        length: all.length,
        ...columnsOf(() => zeros),
        row: of((_, n) => n),
        ordinal: of((_, n) => n),
        phase: of(({ phase }) => phase),
        task: of(({ task }) => task),
        startedAt: of(({ startedAt }) => startedAt),
        endedAt: of(({ startedAt, length }) => startedAt + length),
      };
      for (const by of ROWS_BY) {
        const shows = new Uint8Array(all.length);
        const found = arranged(
          { head: HEAD, attempts, shows, heardTo: (i) => attempts.endedAt[i]! },
          by,
        );
        const { bars, blocks, attemptAt, rowOf, placeOf } = found;
        expect(new Set(Array.from(attemptAt)).size).toBe(all.length);
        for (let row = 0; row < found.count; row++) {
          let before = Number.NEGATIVE_INFINITY;
          for (let n = bars.first[row]!; n < bars.first[row + 1]!; n++) {
            expect(bars.startedAt[n]).toBeGreaterThanOrEqual(before);
            before = bars.endedAt[n]!;
            const i = attemptAt[n]!;
            expect([rowOf[i], placeOf[i]]).toEqual([row, n]);
          }
        }
        expect(blocks.map(({ from }) => from)).toEqual(
          [0, ...blocks.map(({ to }) => to)].slice(0, -1),
        );
        if (by === "slot") continue;
        for (const { from, to, name } of blocks) {
          for (const [i, { phase, task }] of all.entries()) {
            const isIn = rowOf[i]! >= from && rowOf[i]! < to;
            const own = ["map", "reduce"][phase] + (by === "task" ? `/${task}` : "");
            expect(isIn).toBe(own === name);
          }
        }
      }
    }),
  );
});
