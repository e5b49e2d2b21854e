import fc from "fast-check";
import { expect, test } from "vitest";
import { CURSOR_BYTES, ENTRY_BYTES } from "../../src/data/kernel/kernel.ts";
import { inKernel, type KernelBench, someKey } from "./bench.ts";

/** A record whose value is one byte; its key has less than 128. */
const record = (key: Uint8Array, value: number): Uint8Array =>
  Uint8Array.of(key.length, 1, ...key, value);

/** Merges runs of which some records at a time are in memory. */
function merged(
  bench: KernelBench,
  runs: readonly (readonly Uint8Array[])[],
  room: number,
): string[] {
  const cursors = bench.putU32(
    runs.flatMap(() => Array.from({ length: CURSOR_BYTES / 4 }, () => 0)),
  );
  const into = bench.take(ENTRY_BYTES * room);
  const { kernel, memory, result } = bench;
  const given = runs.map(() => 0);
  const fill = (run: number): void => {
    const window = runs[run]?.slice(given[run], (given[run] ?? 0) + 2) ?? [];
    given[run] = (given[run] ?? 0) + window.length;
    const { at, end } = bench.put(Buffer.concat(window));
    const isLast = given[run] === runs[run]?.length;
    [at, end, isLast ? 1 : 0].forEach((field, i) => {
      memory.view.setUint32(cursors + run * CURSOR_BYTES + 4 * i, field, true);
    });
  };
  runs.forEach((_, run) => void fill(run));
  const found: string[] = [];
  for (;;) {
    const count = kernel.mergeEntries(cursors, runs.length, 1, into, room, result);
    for (const { key, payload } of bench.entries(into, count)) {
      expect(bench.text(payload + 3, payload + 3 + key.length)).toBe(key);
      found.push(key + bench.text(payload + 3 + key.length, payload + 4 + key.length));
    }
    const dry = bench.u32(result);
    if (dry < runs.length) fill(dry);
    else if (count < room) return found;
  }
}

test("runs are merged by key, then by run", () => {
  const run = fc.array(someKey, { maxLength: 8 }).map((keys) => keys.sort(Buffer.compare));
  fc.assert(
    fc.property(
      fc.array(run, { minLength: 1, maxLength: 9 }),
      fc.integer({ min: 1, max: 5 }),
      (runs, room) => {
        const records = runs.map((keys, i) =>
          keys.map((key) => record(Buffer.concat([Buffer.from("\x06"), key]), i)),
        );
        const found = inKernel((bench) => merged(bench, records, room));
        const all = runs.flatMap((keys, i) => keys.map((key) => ({ key, i })));
        all.sort((left, right) => Buffer.compare(left.key, right.key) || left.i - right.i);
        expect(found).toEqual(all.map(({ key, i }) => Buffer.from([...key, i]).toString("latin1")));
      },
    ),
  );
});

test("equal keys of entries in order are numbered", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(5), { maxLength: 20 }), (numbers) => {
      const inOrder = numbers.toSorted((left, right) => left - right);
      const { ids, values, keys, firsts } = inKernel((bench) => {
        const entries = bench.putEntries(inOrder.map((x) => Buffer.from(`key ${x} of many`)));
        const ids = bench.take(4 * inOrder.length);
        const values = bench.take(4 * inOrder.length);
        const keys = bench.kernel.equalKeys(entries, inOrder.length, ids, values);
        const distinct = bench.kernel.firstOfEach(entries, inOrder.length, ids);
        const firsts = bench.entries(entries, distinct);
        const first = inOrder.length > 0 ? bench.u32(entries + 8) + 13 : 0;
        return {
          ids: bench.u32s(ids, inOrder.length),
          values: bench.u32s(values, Math.min(1, inOrder.length)).map((at) => at - first),
          keys,
          firsts: firsts.map(({ key, payload }) => [key, payload]),
        };
      });
      const distinct = [...new Set(inOrder)];
      expect(keys).toBe(distinct.length);
      expect(firsts).toEqual(distinct.map((x, i) => [`key ${x} of many`, i]));
      expect(ids).toEqual(inOrder.map((x) => distinct.indexOf(x)));
      expect(values).toEqual(inOrder.slice(0, 1).map(() => 0));
    }),
  );
});
