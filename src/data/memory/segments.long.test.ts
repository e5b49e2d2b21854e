import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import {
  compareKeys,
  count,
  encodeKey,
  type Fold,
  type Key,
  max,
  mean,
  min,
  sum,
  text,
} from "../../job/index.ts";
import { decodeKey } from "../../job/key-bytes.ts";
import { readValue } from "../bytes/value-bytes.ts";
import { recordText } from "../formats/record-text.ts";
import { KEYS, VALUES } from "../kernel/kernel.ts";
import { foldStream } from "./fold-stream.ts";
import { MergeCursor } from "./merge-cursor.ts";
import { MergeStream, type RunSource } from "./merge-stream.ts";
import { mergeUntilFew, removeRuns, withSources } from "./merge-to-file.ts";
import type { NumberFoldKind } from "./number-fold.ts";
import { type LineSink, putLines } from "./put-lines.ts";
import { Segments } from "./segments.ts";
import { type Combining, ShuffleWriter } from "./shuffle-writer.ts";
import { Workspace } from "./workspace.ts";

const root = mkdtempSync(join(tmpdir(), "broomwagon-segments-"));
afterAll(() => rmSync(root, { recursive: true }));

type Pair = readonly [Key, unknown];
type AnyFold = Fold<unknown, unknown, unknown>;

const { line } = recordText(text());

/** Lines as text, in either way of writing. */
class Lines implements LineSink {
  text = "";
  records = 0;

  writeLines(bytes: Uint8Array, start: number, end: number, records: number): void {
    this.text += Buffer.from(bytes.subarray(start, end)).toString();
    this.records += records;
  }

  write(record: unknown): void {
    // As read back from a file, where an unpaired surrogate is U+FFFD.
    this.text += Buffer.from(line(record)).toString();
    this.records++;
  }
}

/** Maps' outputs of one partition, fetched in some order into the given memory. */
function fetched<T>(
  maps: readonly (readonly Pair[])[],
  options: {
    readonly combining: Combining;
    readonly memoryBytes: number;
    readonly compress: boolean;
  },
  use: (space: Workspace, sources: readonly RunSource[]) => T,
): T {
  const directory = mkdtempSync(join(root, "reduce-"));
  const outputs = maps.map((pairs, map) => {
    const to = join(directory, `output-${map}`);
    const { combining, compress } = options;
    const writer = new ShuffleWriter({
      directory,
      to,
      partitions: 1,
      memoryBytes: 1 << 20,
      combining,
      compress,
    });
    for (const [key, value] of pairs) writer.add(key, value);
    writer.finish();
    writer.close();
    return to;
  });
  const space = new Workspace(4 << 20);
  const segments = new Segments(space, { directory, ...options });
  for (const [map, path] of [...outputs.entries()].reverse()) {
    segments.fetch({ map, path, partition: 0 });
    rmSync(path);
  }
  const bytesMax = space.memory.free / 4;
  const [from, partitions] = [segments.runs([...maps.keys()]), 1];
  const runs = mergeUntilFew({ space, directory, bytesMax, from, partitions });
  const result = withSources(runs, (sourcesOf) => use(space, sourcesOf(0)));
  removeRuns(runs);
  expect(readdirSync(directory)).toEqual([]);
  rmSync(directory, { recursive: true });
  return result;
}

const key: fc.Arbitrary<Key> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom("a", "b", "c") },
  fc.string({ unit: "binary", maxLength: 9 }),
  fc.constantFrom("\0", "a\0b", "é", "\ud800", "x".repeat(60_000)),
  fc.oneof(fc.integer(), fc.double(), fc.bigInt(), fc.constant(null)),
  fc.tuple(fc.string({ maxLength: 3 }), fc.integer()),
);
const number = fc.oneof(
  fc.integer({ min: -5, max: 300 }),
  fc.double(),
  fc.constantFrom(-0, Number.NaN, Number.POSITIVE_INFINITY, 1e308, 0.1, 2 ** 53),
);
const mapsOf = (value: fc.Arbitrary<unknown>) =>
  fc.array(fc.array(fc.tuple(key, value), { maxLength: 12 }), { minLength: 1, maxLength: 5 });

/** With the first size everything stays in memory, with the second nothing. */
const MEMORY_BYTES = [4 << 20, 0];

const FOLDS: readonly (readonly [NumberFoldKind, unknown])[] = [
  ["count", count()],
  ["sum", sum()],
  ["mean", mean()],
  ["min", min()],
  ["max", max()],
];

test.each(FOLDS)("accumulators are merged and written: %s", (kind, one) => {
  const fold = one as AnyFold;
  let givenUp = 0;
  const property = fc.property(
    mapsOf(number),
    fc.constantFrom(...MEMORY_BYTES),
    fc.boolean(),
    fc.boolean(),
    (maps, memoryBytes, combines, compress) => {
      const combining: Combining = { kind: "fold", fold, numbers: kind, combines };
      const sink = new Lines();
      const isDone = fetched(maps, { combining, memoryBytes, compress }, (space, sources) => {
        const recordOf = (k: Key, so: unknown): unknown => [k, fold.done(so)];
        return foldStream({
          space,
          stream: new MergeStream(space, sources),
          kind,
          take: (entries, shape) => putLines({ space, shape, sink, recordOf }, entries),
        });
      });
      if (isDone) expect(sink.text).toBe(folded(maps.flat(), fold));
      else givenUp++;
    },
  );
  fc.assert(property, { numRuns: 30 });
  // Only sums that two numbers cannot hold are left to the ordinary path.
  expect(kind === "sum" || kind === "mean" || givenUp === 0).toBe(true);
});

function folded(pairs: readonly Pair[], fold: AnyFold): string {
  const byKey = new Map<string, { key: Key; so: unknown }>();
  for (const [one, value] of pairs) {
    const at = Buffer.from(encodeKey(one)).toString("latin1");
    const group = byKey.get(at) ?? { key: one, so: fold.init() };
    group.so = fold.add(group.so, value);
    byKey.set(at, group);
  }
  const groups = [...byKey.values()].sort((left, right) => compareKeys(left.key, right.key));
  const lines = groups.map((group) => line([group.key, fold.done(group.so)]));
  return Buffer.from(lines.join("")).toString();
}

test("values come by key, then by map, then as they were emitted", () => {
  const value = fc.oneof(fc.integer(), fc.string(), fc.constant("v".repeat(900)));
  const property = fc.property(
    mapsOf(value),
    fc.constantFrom(...MEMORY_BYTES),
    (maps, memoryBytes) => {
      const combining: Combining = { kind: "none" };
      const found = fetched(maps, { combining, memoryBytes, compress: true }, (space, sources) => {
        const cursor = new MergeCursor(space, new MergeStream(space, sources));
        const pairs: Pair[] = [];
        while (cursor.advance()) {
          const { bytes, keyStart, keyEnd, end } = cursor;
          const one = readValue({ bytes, at: keyEnd, end });
          pairs.push([decodeKey(bytes.slice(keyStart, keyEnd)), one]);
        }
        return pairs;
      });
      expect(found).toEqual(maps.flat().toSorted(([left], [right]) => compareKeys(left, right)));
    },
  );
  fc.assert(property, { numRuns: 30 });
});

test("keys without values are written as lines", () => {
  fc.assert(
    fc.property(mapsOf(fc.constant(undefined)), (maps) => {
      const sink = new Lines();
      const shape = { keys: KEYS.encoded, values: VALUES.none, base: 0, stride: 0 };
      const combining = { kind: "none" } as const;
      const options = { combining, memoryBytes: 4 << 20, compress: false };
      fetched(maps, options, (space, sources) => {
        const stream = new MergeStream(space, sources);
        const query = { space, shape, sink, recordOf: (one: Key) => one };
        for (let some = stream.next(); some.count > 0; some = stream.next()) putLines(query, some);
      });
      const keys = maps.flat().map(([one]) => one);
      const lines = keys.sort(compareKeys).map((one) => line(one));
      expect(sink.text).toBe(Buffer.from(lines.join("")).toString());
      expect(sink.records).toBe(lines.length);
    }),
    { numRuns: 30 },
  );
});
