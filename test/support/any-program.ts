import { setImmediate as turn } from "node:timers/promises";
import fc from "fast-check";
import { distinct } from "../../src/job/count-distinct.ts";
import { defineFlow, type Flow } from "../../src/job/flow.ts";
import { count, type Fold, max, mean, min, sum } from "../../src/job/fold.ts";
import { type Call, type Key, type MapContext, matching, text, tsv } from "../../src/job/index.ts";
import type { Input } from "../../src/job/input.ts";
import { mapBytes } from "../../src/job/operator.ts";
import type { Output } from "../../src/job/output.ts";
import { quantile } from "../../src/job/quantile.ts";
import type { JoinOptions, Records } from "../../src/job/records.ts";
import { collect, topK } from "../../src/job/top-k.ts";

/**
 * The part of a program's output that does not depend on how it runs: each part; the whole, part
 * after part, if a sample chooses the parts; or only the lines, in any order.
 */
export type Sameness = "parts" | "whole" | "lines";

export interface AnyProgram {
  /** The program's steps, to explain a failure. */
  readonly name: string;
  readonly flow: Flow;
  readonly same: Sameness;
}

type Ctx = MapContext<never, Readonly<Record<never, never>>>;
type Lines = Records<string, Ctx>;
/** Passes on the records made so far, of any kind. */
type Then = <R>(records: Records<R, Ctx>) => void;

/** A choice, and its name. */
type Named<T> = readonly (readonly [string, T])[];

const READS: Named<() => Input<string>> = [
  ["utf8", () => text()],
  ["latin1", () => text(undefined, { encoding: "latin1" })],
];

const tails = mapBytes((bytes, start, end, slice) => {
  const space = bytes.subarray(start, end).indexOf(0x20);
  if (space >= 0) slice(start + space + 1, end);
});

/** Makes a call that takes a while, and fails in some first tries. */
async function late(line: string, { index, retry }: Call): Promise<string> {
  for (let turns = (index * 7) % 4; turns > 0; turns--) await turn();
  if (retry === 0 && index % 5 === 2) throw new Error("try again");
  return `${line}?`;
}

const STEPS: Named<(lines: Lines) => Lines> = [
  ["lines", (lines) => lines],
  ["words", (lines) => lines.words()],
  ["matching a", (lines) => lines.via(matching("a"))],
  ["matching a|9", (lines) => lines.matching(/a|9/)],
  ["matching th.", (lines) => lines.matching(/th./)],
  ["tails", (lines) => lines.via(tails)],
  ["split", (lines) => lines.flatMap((line) => line.split(" "))],
  ["long", (lines) => lines.filter((line) => line.length > 2)],
  ["doubled", (lines) => lines.map((line) => line + line)],
  ["called", (lines) => lines.mapAsync(late, { concurrency: 3, retries: 1, backoffMs: 1 })],
];

const NUMBERS = [0.1, 1e16, -1e16, 3, 1e-300, -0, 2 ** 53, 1 / 3, -1e308, 1e308, 5e-324];
const numberOf = (line: string): number => NUMBERS[line.length % NUMBERS.length] ?? 0;

const keyOf = (line: string): Key => {
  switch (line.length % 7) {
    case 0:
      return null;
    case 1:
      return line.length > 3;
    case 2:
      return BigInt(line.length) - 4n;
    case 3:
      return -numberOf(line);
    case 4:
      return [line.slice(0, 1), line.length];
    default:
      return line;
  }
};

const KEYS: Named<(line: string) => Key> = [
  ["line", (line) => line],
  ["length", (line) => line.length],
  ["first", (line) => line.slice(0, 1)],
  ["any key", keyOf],
  ["one", () => 1],
];

/** The longest text of all: a user's own fold. */
const longest: Fold<string, string, string> = {
  name: "longest",
  init: () => "",
  add: (so, value) => longer(so, value),
  merge: longer,
  done: (so) => so,
};

function longer(left: string, right: string): string {
  if (left.length !== right.length) return left.length > right.length ? left : right;
  return left > right ? left : right;
}

/** A list of the values, in the order of arrival. */
function* listed(key: Key, values: Iterable<unknown>): Generator<string> {
  const all = Array.from(values, String);
  yield `${String(key)} ${all.length} ${all.join("|")}`;
}

function* firstAlone(key: Key, values: Iterable<unknown>): Generator<string> {
  for (const value of firstOf(key, values)) yield `${String(key)} ${String(value)}`;
}

const firstOf = <V>(_: Key, values: Iterable<V>): Iterable<V> => {
  for (const value of values) return [value];
  return [];
};

interface WideQuery {
  readonly lines: Lines;
  readonly others: Lines;
  readonly key: (line: string) => Key;
  readonly then: Then;
}

interface Wide {
  readonly same: Sameness;
  of(query: WideQuery): void;
}

/** Folds of all kinds: `values` gives the kind of values. */
const folded = (fold: Fold<never, unknown, unknown>, ofLine?: (line: string) => unknown): Wide => ({
  same: "parts",
  of: ({ lines, key, then }) => {
    const pairs = ofLine === undefined ? lines.keyBy(key) : lines.keyBy(key, ofLine);
    then(Reflect.apply(pairs.fold, pairs, ["wide", fold]));
  },
});

const FOLDS: Named<Wide> = [
  ["count", folded(count())],
  ["sum", folded(sum(), numberOf)],
  ["mean", folded(mean(), numberOf)],
  ["min", folded(min(), numberOf)],
  ["max of any", folded(max(), keyOf)],
  ["top", folded(topK(2), keyOf)],
  ["median", folded(quantile(0.5), numberOf)],
  ["different", folded(distinct(), keyOf)],
  ["collected", folded(collect(), keyOf)],
  ["longest", folded(longest)],
];

const WIDE: Named<Wide> = [
  ...FOLDS,
  [
    "whole lines, count",
    { same: "parts", of: ({ lines, then }) => then(lines.keyBy().fold("wide", count())) },
  ],
  [
    "listed",
    {
      same: "parts",
      of: ({ lines, key, then }) => then(lines.keyBy(key).reduce("wide", listed)),
    },
  ],
  [
    "first of each, combined",
    {
      same: "parts",
      of: ({ lines, key, then }) =>
        then(lines.keyBy(key).reduce("wide", firstAlone, { combine: firstOf })),
    },
  ],
  ["distinct", { same: "parts", of: ({ lines, then }) => then(lines.distinct("wide")) }],
  ["sorted", { same: "whole", of: ({ lines, then }) => then(lines.sortBy("wide")) }],
  [
    "sorted by key",
    { same: "whole", of: ({ lines, key, then }) => then(lines.sortBy("wide", key)) },
  ],
  [
    "total",
    { same: "parts", of: ({ lines, then }) => then(lines.map(numberOf).total("wide", sum())) },
  ],
  ["as it is", { same: "whole", of: ({ lines, then }) => then(lines) }],
  [
    "union",
    {
      same: "parts",
      of: ({ lines, others, then }) => then(lines.union(others).distinct("wide")),
    },
  ],
  ...(["inner", "left", "semi", "anti"] as const).flatMap(
    (how): Named<Wide> => [
      [`joined, ${how}`, joined("parts", { how })],
      [`joined by broadcast, ${how}`, joined("lines", { how, by: "broadcast" })],
      [`joined and salted, ${how}`, joined("lines", { how, skew: "salt" })],
    ],
  ),
];

function joined(same: Sameness, options: JoinOptions): Wide {
  return {
    same,
    of({ lines, others, key, then }) {
      const pairs = lines.keyBy(key);
      then(Reflect.apply(pairs.join, pairs, ["wide", others.keyBy(key), options]));
    },
  };
}

/** Later steps do not depend on the order among equal keys, so the output is the same by part. */
const AFTER: Named<(<R>(records: Records<R, Ctx>) => { write(output: Output): void }) | undefined> =
  [
    ["", undefined],
    ["", undefined],
    [", sizes", (all) => all.keyBy((one) => textOf(one).length).fold("after", count())],
    [", longest", (all) => all.keyBy(() => 1, textOf).fold("after", longest)],
  ];

async function same<R>(record: R, { index }: Call): Promise<R> {
  if (index % 2 === 0) await turn();
  return record;
}

const textOf = (record: unknown): string =>
  JSON.stringify(record, (_, value) => (typeof value === "bigint" ? `${value}n` : value));

/** Plain `tsv` refuses a TAB or a line end in a column, and the files are full of them. */
const WRITES = [
  ["tsv", tsv(undefined, { escape: true })],
  ["text", text()],
  ["gzip", tsv(undefined, { compress: "gzip", escape: true })],
] as const;

export const anyProgram: fc.Arbitrary<AnyProgram> = fc
  .record({
    read: fc.constantFrom(...READS),
    steps: fc.array(fc.constantFrom(...STEPS), { maxLength: 2 }),
    key: fc.constantFrom(...KEYS),
    wide: fc.constantFrom(...WIDE),
    isCalled: fc.boolean(),
    after: fc.constantFrom(...AFTER),
    write: fc.constantFrom(...WRITES),
  })
  .map(({ read, steps, key, wide, isCalled, after, write }) => {
    const names = [read, ...steps, key, wide].map(([name]) => name);
    const flow = defineFlow("any", (f) => {
      const stepped = (lines: Lines): Lines => steps.reduce((so, [, step]) => step(so), lines);
      const left = stepped(f.read("left", read[1]()));
      const right = f.read("right", read[1]());
      const then: Then = (records) => {
        const called = isCalled ? records.mapAsync(same, { concurrency: 2 }) : records;
        (after[1]?.(called) ?? called).write(write[1]);
      };
      wide[1].of({ lines: left, others: right, key: key[1], then });
    });
    const sameness = after[1] === undefined ? wide[1].same : "parts";
    const name = `${names.join(", ")}${isCalled ? ", called" : ""}${after[0]}, ${write[0]}`;
    return { name, flow, same: sameness, [fc.toStringMethod]: () => name };
  });
