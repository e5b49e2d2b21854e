import fc from "fast-check";
import { expect, test } from "vitest";
import { tableFrom } from "../../test/support/tables.ts";
import { PAGE_ATTEMPT, type PageHead } from "../report/page/document.ts";
import { arranged, ROWS_BY } from "./arranged.ts";

const HEAD: PageHead = {
  schema: "broomwagon/page@3",
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
};

const attempt = fc.record({
  phase: fc.nat(1),
  task: fc.nat(4),
  startedAt: fc.nat(30),
  length: fc.nat(20),
});

interface Ran {
  readonly startedAt: number;
  readonly length: number;
}

const endOf = ({ startedAt, length }: Ran): number => startedAt + length;

/** The slot of each attempt: the last one that is free, so that few are in the order of slots. */
function rowsOf(all: readonly Ran[]): readonly number[] {
  const row = new Map<Ran, number>();
  const freeAt: number[] = Array(40).fill(0);
  for (const one of all.toSorted((a, b) => a.startedAt - b.startedAt)) {
    const free = freeAt.findLastIndex((end) => end <= one.startedAt);
    freeAt[free] = endOf(one);
    row.set(one, free);
  }
  return all.map((one) => row.get(one)!);
}

test("each attempt has one bar; bars of a row do not overlap; a block is one task or phase", () => {
  fc.assert(
    fc.property(fc.array(attempt, { maxLength: 40 }), (all) => {
      const attempts = tableFrom(PAGE_ATTEMPT, all.length, {
        row: rowsOf(all),
        ordinal: all.map((_, n) => n),
        phase: all.map(({ phase }) => phase),
        task: all.map(({ task }) => task),
        startedAt: all.map(({ startedAt }) => startedAt),
        endedAt: all.map(endOf),
      });
      for (const by of ROWS_BY) {
        const shows = new Uint8Array(all.length);
        const found = arranged(
          {
            ...{ head: HEAD, attempts, shows },
            heardTo: (i) => attempts.endedAt[i]!,
            lateFrom: () => Infinity,
          },
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
