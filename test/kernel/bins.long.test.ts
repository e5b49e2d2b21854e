import fc from "fast-check";
import { expect, test } from "vitest";
import { textOf, upTo, where } from "./any.ts";
import { firstBytes, type KernelBench, onBench } from "./bench.ts";
import { binned } from "./twin/lines.ts";

/** As `src/data/kernel/assembly/bins.ts` describes them. */
const HEADER_BYTES = 16;
const SPLITTER_BYTES = 8;
const BIN_BYTES = 24;
const BATCH_BYTES = 32 * 24;

const CHUNK_BYTES = 128;

interface Bins {
  readonly at: number;
  readonly chunks: number;
  readonly count: number;
}

/** The number of bins for these splitters: a power of two. */
const binsFor = (splitters: readonly string[]): number =>
  2 ** Math.ceil(Math.log2(splitters.length + 1));

/** Bins between these splitters, with room for `room` bytes of chunks. */
function makeBins(bench: KernelBench, splitters: readonly string[], room: number): Bins {
  const count = binsFor(splitters);
  const at = bench.take(HEADER_BYTES + count * (SPLITTER_BYTES + BIN_BYTES) + BATCH_BYTES);
  const chunks = bench.take(room);
  const { view } = bench.memory;
  [chunks, chunks + room, CHUNK_BYTES, Math.log2(count)].forEach((field, i) => {
    view.setUint32(at + 4 * i, field, true);
  });
  for (let i = 0; i < count; i++) {
    const splitter = splitters[i];
    const first = splitter === undefined ? 2n ** 64n - 1n : firstBytes(splitter);
    view.setBigUint64(at + HEADER_BYTES + i * SPLITTER_BYTES, first, true);
  }
  return { at, chunks, count };
}

function textsOf(bench: KernelBench, bins: Bins): string[][] {
  return Array.from({ length: bins.count }, (_, bin) => {
    const size = bench.kernel.binSize(bins.at, bin);
    const into = bench.takeEntries(size);
    bench.kernel.binEntries(bins.at, bin, into, bench.result);
    return bench.entries(into, size).map(({ key }) => key);
  });
}

const someSplitters = fc
  .array(fc.constantFrom("", "a", "aa", "ab", "b", "b ", "abababab", "bbbbbbbbb", "\xff"), {
    ...upTo(6),
  })
  .map((texts) => texts.sort());

const someText = textOf("ab \r\n\n", 400);
const longText = textOf("ab       \n\n", 3000);
const longLines = textOf("ab                            \n", 900);

test("lines are put into bins by their first bytes, and keep their order", () => {
  fc.assert(
    fc.property(someText, where, someSplitters, (text, how, splitters) => {
      const found = onBench((bench) => {
        const { at, end } = bench.put(Buffer.from(text, "latin1"), how);
        const bins = makeBins(bench, splitters, 128 * 1024);
        bench.kernel.binsClear(bins.at, bins.chunks);
        const lines = bench.kernel.binLines(at, end, bins.at, 1000, bench.result);
        return { lines, read: bench.u32(bench.result) - at, bins: textsOf(bench, bins) };
      });
      const room = { linesMax: 1000, bytes: 128 * 1024, chunkBytes: CHUNK_BYTES };
      const { bins, read } = binned(text, splitters, { count: binsFor(splitters), room });
      expect(read).toBe(text.length);
      expect(found).toEqual({ lines: bins.flat().length, read, bins });
    }),
    { numRuns: 300 },
  );
});

test("without room for memory or lines, they continue when bins are empty", () => {
  const room = fc.record({
    linesMax: fc.oneof(fc.integer({ min: 1, max: 9 }), fc.constant(1000)),
    bytes: fc.constantFrom(1024, 1536, 4096),
    chunkBytes: fc.constant(CHUNK_BYTES),
  });
  const someLines = fc.oneof(someText, longText, longLines);
  fc.assert(
    fc.property(someLines, where, someSplitters, room, (text, how, splitters, room) => {
      onBench((bench) => {
        const { at, end } = bench.put(Buffer.from(text, "latin1"), how);
        const made = makeBins(bench, splitters, room.bytes);
        let rest = text;
        for (let place = at; place < end; place = bench.u32(bench.result)) {
          bench.kernel.binsClear(made.at, made.chunks);
          const lines = bench.kernel.binLines(place, end, made.at, room.linesMax, bench.result);
          const { bins, read } = binned(rest, splitters, { count: made.count, room });
          expect(lines).toBe(bins.flat().length);
          expect(bench.u32(bench.result) - place).toBe(read);
          expect(lines).toBeGreaterThan(0);
          // Reading the entries uses `result`, so it is set again.
          expect(textsOf(bench, made)).toEqual(bins);
          bench.memory.view.setUint32(bench.result, place + read, true);
          rest = rest.slice(read);
        }
        expect(rest).toBe("");
      });
    }),
    { numRuns: 300 },
  );
});
