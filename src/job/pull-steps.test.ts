import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { applySteps, type StepHost } from "./apply-steps.ts";
import { KeyMap } from "./key-map.ts";
import { cutAtCalls, pullSteps } from "./pull-steps.ts";
import type { Step } from "./step.ts";
import { Counters, UserContext } from "./user-context.ts";

const host: StepHost = {
  context(emit) {
    const counters = new Counters([]);
    return new UserContext({ params: {}, task: 0, attempt: 0, file: "", counters }, emit);
  },
  table() {
    const table = new KeyMap<readonly unknown[]>();
    table.getOrMake("1", () => ["one", "uno"]);
    return table;
  },
};

function* doubled(record: unknown): Generator<unknown> {
  yield record;
  yield record;
}

/** Steps that take any text. */
const TEXT_STEPS: readonly (readonly [string, Step])[] = [
  ["map", { kind: "map", map: (text) => `${text}1` }],
  [
    "map, emits",
    {
      kind: "map",
      map(text, ctx) {
        ctx.emit("emitted", text);
        return `${text}2`;
      },
    },
  ],
  ["words", { kind: "words" }],
  ["matching", { kind: "matching", pattern: "1" }],
  ["filter", { kind: "filter", keep: (text) => String(text).length % 2 === 0 }],
  ["generator", { kind: "flat-map", by: "flatMap", pairs: false, flatMap: doubled }],
  [
    "array",
    { kind: "flat-map", by: "flatMap", pairs: false, flatMap: (text) => [`${text}3`, text] },
  ],
  [
    "generator, emits",
    {
      kind: "flat-map",
      by: "flatMap",
      pairs: false,
      *flatMap(text, ctx) {
        ctx.emit("first", text);
        yield text;
        ctx.emit("between", text);
        yield text;
        ctx.emit("last", text);
      },
    },
  ],
  [
    "nothing but emitted",
    { kind: "flat-map", by: "flatMap", pairs: false, flatMap: (text, ctx) => ctx.emit("k", text) },
  ],
  ["pair", { kind: "pair", key: { kind: "record" }, value: { kind: "constant", value: 1 } }],
  ["lookup", { kind: "lookup", table: 0, how: "left" }],
];

/**
 * What a run of steps does: its records, or that it fails. Where a call makes two records that are
 * wrong at different steps, which of them is named depends on the way.
 */
function outcome(records: () => readonly unknown[]): unknown {
  try {
    return records();
  } catch (error) {
    return error instanceof Error ? error.name : error;
  }
}

test("steps give the same records in the same order, pulled or pushed", () => {
  const steps = fc.array(fc.constantFrom(...TEXT_STEPS), { maxLength: 5 });
  const texts = fc.array(fc.constantFrom("", "1", "a 1 b", "12 3"), { maxLength: 4 });
  fc.assert(
    fc.property(steps, texts, (named, records) => {
      const chain = named.map(([, step]) => step);
      const pushed = outcome(() => {
        const made: unknown[] = [];
        const first = applySteps(chain, host, {
          add: (record) => void made.push(record),
          addPair: (key, value) => void made.push([key, value]),
        });
        for (const record of records) first.add(record);
        return made;
      });
      const pull = pullSteps(chain, host);
      expect(outcome(() => records.flatMap((record) => [...pull(record)]))).toEqual(pushed);
    }),
  );
});

describe("a generator", () => {
  test("makes its records only when they are asked for, through all steps", () => {
    const made: number[] = [];
    const numbers: Step = {
      kind: "flat-map",
      by: "flatMap",
      pairs: false,
      *flatMap() {
        for (let n = 0; ; n++) {
          made.push(n);
          yield n;
        }
      },
    };
    const steps: readonly Step[] = [
      { kind: "map", map: (record) => record },
      numbers,
      { kind: "filter", keep: (n) => Number(n) % 2 === 0 },
      { kind: "flat-map", by: "flatMap", pairs: false, flatMap: (n) => [n, n] },
    ];
    const some = pullSteps(steps, host)("any")[Symbol.iterator]();
    expect([1, 2, 3].map(() => some.next().value)).toEqual([0, 0, 2]);
    expect(made).toEqual([0, 1, 2]);
  });
});

test("steps are cut at calls", () => {
  const call: Step = {
    kind: "map-async",
    gives: "record",
    calls: { concurrency: 1, timeoutMs: undefined, retries: 0, backoffMs: 1, speculate: true },
    mapAsync: async (record) => record,
  };
  const words: Step = { kind: "words" };
  expect(cutAtCalls([])).toEqual({ parts: [], after: [] });
  expect(cutAtCalls([words])).toEqual({ parts: [], after: [words] });
  const alone = { before: [], step: call };
  expect(cutAtCalls([call, call, words])).toEqual({ parts: [alone, alone], after: [words] });
  const after = { before: [words, words], step: call };
  expect(cutAtCalls([words, words, call])).toEqual({ parts: [after], after: [] });
});
