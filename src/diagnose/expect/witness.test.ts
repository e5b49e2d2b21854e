import { describe, expect, test } from "vitest";
import { DEFAULT_LIMITS } from "../limits.ts";
import { evenBytesOf, evened } from "./even-bytes.ts";
import { fitPhase } from "./phase-fit.ts";

const MB = 1_000_000;

/** Tasks of a second a peer's bytes, in some noise, and one other. */
function fitOf(other: { readonly bytes: number; readonly ms: number }, spread = 0, slope = 1) {
  const peers = Array.from({ length: 24 }, (_, n) => 100 * MB * (1 + spread * ((n % 5) - 2)));
  const times = peers.map((bytes, n) => {
    const byBytes = slope * (bytes / (100 * MB) - 1);
    return 1_000 * (1 + byBytes) + ((13 * n) % 40);
  });
  const zeros = (): Float64Array => new Float64Array(25);
  const input = {
    netMs: Float64Array.from([...times, other.ms]),
    bytes: Float64Array.from([...peers, other.bytes]),
    ...{ isFar: zeros(), isFirst: zeros(), gcMs: zeros(), fetchMs: zeros() },
    deserializeMs: zeros(),
  };
  const found = fitPhase(input, DEFAULT_LIMITS);
  if (found === undefined) throw new Error("no fit");
  const { alphaMs, msPerByte } = found;
  return { found, input, expected: (bytes: number) => alphaMs + msPerByte * bytes };
}

describe("a single task that reads much more than its peers", () => {
  test("explains its time by its bytes, where the peers read alike", () => {
    const { found, expected } = fitOf({ bytes: 1_000 * MB, ms: 10_000 });
    expect(found.witness).toBeDefined();
    expect(expected(1_000 * MB)).toBeCloseTo(10_000, -3);
    expect(expected(100 * MB)).toBeCloseTo(1_020, -2);
  });

  test("explains no more than its bytes take its peers", () => {
    expect(fitOf({ bytes: 1_000 * MB, ms: 30_000 }).found.msPerByte).toBe(0);
    expect(fitOf({ bytes: 130 * MB, ms: 5_000 }).found.msPerByte).toBe(0);
    // As quick as its peers: its bytes cost nothing.
    expect(fitOf({ bytes: 1_000 * MB, ms: 1_010 }).found.msPerByte).toBe(0);
  });

  test("is not believed against its peers, whose time does not grow with bytes", () => {
    const { found } = fitOf({ bytes: 1_000 * MB, ms: 10_000 }, 0.1, 0);
    expect(found.witness).toBeUndefined();
    expect(found.msPerByte).toBe(0);
  });

  test("is believed in a draw without it, and once where it is drawn twice", () => {
    const { found, input } = fitOf({ bytes: 1_000 * MB, ms: 10_000 });
    const draw = (rows: readonly number[]) => {
      const of = (column: Float64Array) => Float64Array.from(rows, (row) => column[row] ?? 0);
      const drawn = Object.entries(input).map(([name, column]) => [name, of(column)]);
      return fitPhase(Object.fromEntries(drawn) as typeof input, DEFAULT_LIMITS, found);
    };
    const peers = Array.from({ length: 24 }, (_, n) => n);
    expect(draw(peers)?.msPerByte).toBe(found.msPerByte);
    expect(draw([...peers, 24, 24])?.msPerByte).toBe(found.msPerByte);
  });
});

describe("even inputs", () => {
  const total = (values: readonly number[]): number => values.reduce((sum, one) => sum + one, 0);

  test("a full split is nothing too much, where many read one", () => {
    for (const full of [6, 12, 70]) {
      const ends = Array.from({ length: 120 - full * 1 }, (_, n) => 3 + ((7 * n) % 90));
      const bytes = [...Array.from({ length: full }, () => 128), ...ends.slice(0, 2 * full)];
      const even = evenBytesOf(Float64Array.from(bytes));
      expect(even.bytes).toBe(128);
      expect(bytes.map((own) => evened(even, own))).toEqual(bytes);
    }
  });

  test("work is moved, not lost: hot partitions give to the others", () => {
    const bytes = [...Array.from({ length: 40 }, (_, n) => 10 + (n % 3)), 90, 120, 150];
    const even = evenBytesOf(Float64Array.from(bytes));
    const moved = bytes.map((own) => evened(even, own));
    expect(total(moved)).toBeCloseTo(total(bytes), 6);
    expect(Math.max(...moved)).toBeCloseTo(total(bytes) / bytes.length, 6);
  });

  test("where most read alike, the mean of some small ones is no yardstick", () => {
    const bytes = [...Array.from({ length: 60 }, (_, n) => 120 + (n % 7)), 1, 2, 3, 4, 5, 6, 7, 8];
    const even = evenBytesOf(Float64Array.from(bytes));
    expect(even.bytes).toBeGreaterThanOrEqual(120);
    const moved = bytes.map((own) => evened(even, own));
    expect(total(moved)).toBeCloseTo(total(bytes), 6);
  });
});
