import fc from "fast-check";
import { expect, test } from "vitest";
import {
  BIN_BYTES,
  BINS_END_BYTES,
  BINS_HEADER_BYTES,
  ENTRY_BYTES,
  SPLITTER_BYTES,
} from "../../src/data/kernel/kernel.ts";
import { inKernel, type KernelBench, textOf } from "./bench.ts";

const CHUNK_BYTES = 128;

interface Bins {
  readonly at: number;
  readonly count: number;
}

/** Bins between these first 8 bytes, with room for so many bytes of chunks. */
function makeBins(bench: KernelBench, splitters: readonly bigint[], room: number): Bins {
  const bits = Math.ceil(Math.log2(splitters.length + 1));
  const count = 2 ** bits;
  const bytes = BINS_HEADER_BYTES + count * (SPLITTER_BYTES + BIN_BYTES) + BINS_END_BYTES;
  const at = bench.take(bytes);
  const chunks = bench.take(room);
  const { view } = bench.memory;
  [chunks, chunks + room, CHUNK_BYTES, bits].forEach((field, i) => {
    view.setUint32(at + 4 * i, field, true);
  });
  for (let i = 0; i < count; i++) {
    const splitter = splitters[i] ?? 2n ** 64n - 1n;
    view.setBigUint64(at + BINS_HEADER_BYTES + i * SPLITTER_BYTES, splitter, true);
  }
  bench.kernel.binsClear(at, chunks);
  return { at, count };
}

function textsOf(bench: KernelBench, bins: Bins): string[][] {
  return Array.from({ length: bins.count }, (_, bin) => {
    const size = bench.kernel.binSize(bins.at, bin);
    const into = bench.take(size * ENTRY_BYTES);
    bench.kernel.binEntries(bins.at, bin, into, bench.result);
    return bench.entries(into, size).map(({ key }) => key);
  });
}

/** A text's first 8 bytes as a number. */
const firstOf = (text: string): bigint =>
  Buffer.concat([Buffer.from(text, "latin1"), Buffer.alloc(8)]).readBigUInt64BE();

/** Lines without their ends, by what is known to be right. */
function linesOf(bytes: Uint8Array): string[] {
  const lines = Buffer.from(bytes).toString("latin1").split("\n");
  const last = lines.pop() ?? "";
  const ended = lines.map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line));
  return last === "" ? ended : [...ended, last];
}

const someSplitters = fc
  .array(fc.constantFrom("", "a", "aa", "ab", "b", "b ", "abababab", "bbbbbbbbb", "\xff"), {
    maxLength: 6,
  })
  .map((texts) => texts.map(firstOf).sort((left, right) => (left < right ? -1 : 1)));

const someText = textOf("ab \r\n\n", 400);

/** What is in which bin when there is room for all. */
function binned(lines: readonly string[], splitters: readonly bigint[], count: number): string[][] {
  const bins = Array.from({ length: count }, (): string[] => []);
  for (const line of lines) {
    const bin = splitters.filter((splitter) => splitter <= firstOf(line)).length;
    bins[bin]?.push(line);
  }
  return bins;
}

test("lines are put into bins by their first bytes, and stay in their order there", () => {
  fc.assert(
    fc.property(someText, fc.nat(63), someSplitters, (text, shift, splitters) => {
      const { found, count } = inKernel((bench) => {
        const { at, end } = bench.put(text, shift);
        const bins = makeBins(bench, splitters, 128 * 1024);
        const lines = bench.kernel.binLines(at, end, bins.at, 1000, bench.result);
        expect(bench.u32(bench.result)).toBe(end);
        const found = textsOf(bench, bins);
        expect(lines).toBe(found.flat().length);
        return { found, count: bins.count };
      });
      expect(found).toEqual(binned(linesOf(text), splitters, count));
    }),
    { numRuns: 300 },
  );
});

test("where there is no room, of memory or of lines, they go on when bins are empty", () => {
  const rooms = fc.constantFrom(640, 1024, 4096);
  fc.assert(
    fc.property(someText, someSplitters, rooms, fc.integer({ min: 1, max: 9 }), (...query) => {
      const [text, splitters, room, linesMax] = query;
      const { turns, count } = inKernel((bench) => {
        const { at, end } = bench.put(text);
        const bins = makeBins(bench, splitters, room);
        const chunks = bench.u32(bins.at);
        const turns: string[][][] = [];
        for (let place = at; place < end; ) {
          bench.kernel.binsClear(bins.at, chunks);
          const lines = bench.kernel.binLines(place, end, bins.at, linesMax, bench.result);
          expect(lines).toBeGreaterThan(0);
          place = bench.u32(bench.result);
          turns.push(textsOf(bench, bins));
        }
        return { turns, count: bins.count };
      });
      const lines = linesOf(text);
      for (const turn of turns) {
        expect(Math.max(...turn.map((bin) => bin.length))).toBeLessThanOrEqual(linesMax);
        const taken = lines.splice(0, turn.flat().length);
        expect(turn).toEqual(binned(taken, splitters, count));
      }
      expect(lines).toEqual([]);
    }),
    { numRuns: 300 },
  );
});
