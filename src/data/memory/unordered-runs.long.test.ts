import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { count, type Fold, type Key, max, mean, min, sum } from "../../job/index.ts";
import { KeyMap } from "../../job/key-map.ts";
import { mergeAll } from "../bytes/combine.ts";
import { KeyGroups } from "../bytes/groups.ts";
import { MergeCursor } from "./merge-cursor.ts";
import { MergeStream } from "./merge-stream.ts";
import { withSources } from "./merge-to-file.ts";
import type { NumberFoldKind } from "./number-fold.ts";
import { Segments } from "./segments.ts";
import { ShuffleWriter } from "./shuffle-writer.ts";
import { UnorderedRuns } from "./unordered-runs.ts";
import { Workspace } from "./workspace.ts";

const root = mkdtempSync(join(tmpdir(), "broomwagon-unordered-"));
afterAll(() => rmSync(root, { recursive: true }));

type AnyFold = Fold<unknown, unknown, unknown>;
type Pair = readonly [Key, number];

const FOLDS: Readonly<Record<NumberFoldKind, AnyFold>> = {
  count: count(),
  sum: sum(),
  mean: mean(),
  min: min(),
  max: max(),
};

interface Found {
  readonly results: readonly (readonly [Key, unknown])[];
  readonly runs: number;
  readonly isUnordered: boolean;
}

/** The result of a reduce over outputs that maps could leave in any order. */
function reduced(
  maps: readonly (readonly Pair[])[],
  { kind, keptBytes }: { readonly kind: NumberFoldKind; readonly keptBytes: number },
): Found {
  const directory = mkdtempSync(join(root, "reduce-"));
  const fold = FOLDS[kind];
  const combining = { kind: "fold", fold, numbers: kind, combines: true } as const;
  const space = new Workspace(4 << 20);
  const segments = new Segments(space, { directory, memoryBytes: keptBytes });
  for (const [map, pairs] of maps.entries()) {
    const path = join(directory, `output-${map}`);
    const how = { directory, to: path, partitions: 1, memoryBytes: 4 << 20, combining } as const;
    const writer = new ShuffleWriter({ ...how, order: "any" });
    for (const [key, value] of pairs) writer.add(key, value);
    writer.finish();
    writer.close();
    segments.fetch({ map, path, partition: 0 });
  }
  const all = [...maps.keys()];
  const from = segments.runs(all, "any");
  const ordered = segments.runs(all);
  const folded = new UnorderedRuns({ space, from, numbers: kind, directory }).toRuns();
  const results = withSources([...folded, ...ordered], (sourcesOf) => {
    const found: [Key, unknown][] = [];
    const groups = new KeyGroups(new MergeCursor(space, new MergeStream(space, sourcesOf(0))));
    while (groups.advance()) found.push([groups.key, fold.done(mergeAll(fold, groups))]);
    return found;
  });
  return { results, runs: folded.length, isUnordered: from.length > 0 };
}

function expected(maps: readonly (readonly Pair[])[], kind: NumberFoldKind): Map<Key, unknown> {
  const fold = FOLDS[kind];
  const sums = new KeyMap<{ so: unknown }>();
  for (const [key, value] of maps.flat()) {
    const one = sums.getOrMake(key, () => ({ so: fold.init() }));
    one.so = fold.add(one.so, value);
  }
  return new Map(Array.from(sums.entries(), ([key, { so }]) => [key, fold.done(so)]));
}

const key = fc.oneof(
  fc.constantFrom("", "a", "\0", "a\0b", 0, -2, 1.5, true, 7n),
  fc.string({ maxLength: 5 }),
  fc.constantFrom(9_000, 20_000, 70_000).map((length) => "x".repeat(length)),
);
const value = fc.oneof(fc.integer(), fc.constantFrom(0.1, 1e300, -1e300, 1e-300, Infinity, NaN));
const kinds = fc.constantFrom<NumberFoldKind>("count", "sum", "mean", "min", "max");

test("unordered outputs are folded, whatever else is merged", () => {
  const maps = fc.array(fc.array(fc.tuple(key, value), { maxLength: 30 }), { maxLength: 4 });
  fc.assert(
    fc.property(maps, kinds, fc.constantFrom(100, 1 << 20), (pairs, kind, keptBytes) => {
      const { results } = reduced(pairs, { kind, keptBytes });
      expect(new Map(results)).toEqual(expected(pairs, kind));
    }),
    { numRuns: 40 },
  );
});

test("more keys than a table takes become several runs, from memory or files", () => {
  const maps = [0, 1].map((map) =>
    Array.from(
      { length: 60_000 },
      (_, i): Pair => [`${(i * 7 + map) % 25_000}-${"y".repeat(9)}`, i],
    ),
  );
  for (const keptBytes of [100, 3 << 20]) {
    const { results, runs, isUnordered } = reduced(maps, { kind: "sum", keptBytes });
    expect(isUnordered).toBe(true);
    if (keptBytes > 100) expect(runs).toBeGreaterThan(1);
    expect(new Map(results)).toEqual(expected(maps, "sum"));
  }
});
