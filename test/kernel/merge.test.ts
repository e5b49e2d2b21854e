import fc from "fast-check";
import { expect, test } from "vitest";
import { someKey, upTo } from "./any.ts";
import { type KernelBench, latin1, onBench } from "./bench.ts";
import { compareTexts, idsOf, merged } from "./twin/order.ts";

/** As `src/data/kernel/assembly/merge.ts` describes it. */
const CURSOR_BYTES = 40;

/** A record of a tagged key and a value of one byte, the run. Keys are shorter than 127 bytes. */
const record = (key: string, run: number): Uint8Array =>
  Uint8Array.of(key.length + 1, 1, 0x06, ...Buffer.from(key, "latin1"), run);

interface Merging {
  /** Records that are in memory at once. */
  readonly window: number;
  /** Entries that are made at once. */
  readonly room: number;
}

/** Merges runs turn by turn; each turn must agree with the twin. */
function expectMerged(
  bench: KernelBench,
  runs: readonly (readonly string[])[],
  { window, room }: Merging,
): void {
  const cursors = bench.takeZeros(CURSOR_BYTES * runs.length);
  const into = bench.takeEntries(room);
  const left = runs.map((keys) => [...keys]);
  const shown = runs.map(() => Array.of<string>());
  const show = (run: number): void => {
    const keys = left[run]?.splice(0, window) ?? [];
    const { at, end } = bench.put(Buffer.concat(keys.map((key) => record(key, run))));
    const isLast = left[run]?.length === 0;
    shown[run] = keys;
    [at, end, isLast ? 1 : 0].forEach((field, i) => {
      bench.memory.view.setUint32(cursors + run * CURSOR_BYTES + 4 * i, field, true);
    });
  };
  runs.forEach((_, run) => void show(run));
  for (;;) {
    const windows = shown.map((keys, run) => ({ keys, isLast: left[run]?.length === 0 }));
    const { made, dry } = merged(windows, room);
    const count = bench.kernel.mergeEntries(cursors, runs.length, 1, into, room, bench.result);
    const entries = bench.entries(into, count).map(({ key, payload }) => {
      // The payload is the place of the whole record.
      const run = bench.u32(payload + 3 + key.length) & 0xff;
      expect(bench.text(payload, payload + key.length + 4)).toBe(latin1(record(key, run)));
      return { key, run };
    });
    expect(entries).toEqual(made);
    expect(bench.u32(bench.result)).toBe(dry ?? runs.length);
    for (const { run } of made) shown[run]?.shift();
    if (dry !== undefined) show(dry);
    else if (made.length < room) break;
  }
  expect(shown.flat()).toEqual([]);
}

test("runs are merged by key, then by run", () => {
  const run = fc.array(someKey.map(latin1), upTo(8)).map((keys) => keys.sort(compareTexts));
  const merging = fc.record({
    window: fc.integer({ min: 1, max: 3 }),
    room: fc.integer({ min: 1, max: 5 }),
  });
  fc.assert(
    fc.property(fc.array(run, { minLength: 1, ...upTo(9) }), merging, (runs, how) => {
      onBench((bench) => expectMerged(bench, runs, how));
    }),
    { numRuns: 200 },
  );
});

test("equal keys of sorted entries are numbered, and the first of each can be kept", () => {
  fc.assert(
    fc.property(fc.array(someKey, upTo(6)), fc.array(fc.nat(5)), (some, repeats) => {
      const keys = some
        .flatMap((key, i) => Array.from({ length: repeats[i] ?? 1 }, () => key))
        .map((key) => Buffer.from(key))
        .sort(Buffer.compare);
      const found = onBench((bench) => {
        const entries = bench.putEntries(keys);
        const places = bench.takeZeros(4 * keys.length);
        const ids = bench.take(4 * keys.length);
        const count = bench.kernel.equalKeys(entries, keys.length, ids, places);
        // A value stands behind its key: the key before it is read back.
        const values = bench.u32s(places, keys.length);
        const before = values.map((at, i) => bench.text(at - (keys[i]?.length ?? 0), at));
        const numbered = bench.u32s(ids, keys.length);
        // The number behind them belongs to no entry.
        const more = bench.putU32([...numbered, count]);
        const firsts = bench.kernel.firstOfEach(entries, keys.length, more);
        return { count, before, ids: numbered, firsts: bench.entries(entries, firsts) };
      });
      const texts = keys.map(latin1);
      const distinct = [...new Set(texts)];
      expect(found.count).toBe(distinct.length);
      expect(found.ids).toEqual(idsOf(texts));
      expect(found.before).toEqual(texts);
      expect(found.firsts).toEqual(
        distinct.map((key, payload) => ({ key, payload, partition: 0 })),
      );
    }),
  );
});
