import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { VALUES } from "../../src/data/kernel/kernel.ts";
import { compareKeys, roundExactly } from "../../src/job/index.ts";
import { upTo } from "./any.ts";
import { type KernelBench, keyedNumber, onBench } from "./bench.ts";
import { encodeRecord } from "./twin/records.ts";
import {
  type Accumulator,
  added,
  type Kind,
  merged,
  NOTHING,
  nearest,
  units,
  withExtreme,
} from "./twin/sums.ts";

const STRIDE = 24;
const GROUPS = 4;

/** Values, each with the id of its group. */
type Grouped<T> = readonly (readonly [id: number, value: T])[];

const grouped = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<Grouped<T>> =>
  fc.array(fc.tuple(fc.nat(GROUPS - 1), value), upTo(24));

const number = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer(),
  fc.nat(99).map((x) => x / 10),
  fc.constantFrom(0, -0, 2 ** -1074, 2 ** 60, -(2 ** 60), 2 ** 113),
);

/** Empty accumulators, and the ids. */
function accumulators(bench: KernelBench, values: Grouped<unknown>) {
  const ids = bench.putU32(values.map(([id]) => id));
  return { ids, base: bench.takeZeros(STRIDE * GROUPS) };
}

/** The sums in memory, in units, each as two numbers; the first is the nearest number. */
function sumsAt(bench: KernelBench, base: number): bigint[] {
  return Array.from({ length: GROUPS }, (_, id) => {
    const [high, low] = [0, 8].map((part) => bench.f64(base + STRIDE * id + part));
    const sum = units(high ?? 0) + units(low ?? 0);
    expect(high).toBe(nearest(sum));
    return sum;
  });
}

/** Adds values one by one, up to the first that an accumulator refuses. */
function folded<T>(
  values: Grouped<T>,
  take: (into: Accumulator, value: T) => Accumulator | undefined,
): { readonly done: number; readonly into: readonly Accumulator[] } {
  const into = Array.from({ length: GROUPS }, () => NOTHING);
  for (const [done, [id, value]] of values.entries()) {
    const next = take(into[id] ?? NOTHING, value);
    if (next === undefined) return { done, into };
    into[id] = next;
  }
  return { done: values.length, into };
}

describe("values are added", () => {
  test("to exact sums, while two numbers can hold them", () => {
    const value = fc.oneof({ weight: 30, arbitrary: number }, fc.double());
    fc.assert(
      fc.property(grouped(value), (values) => {
        const found = onBench((bench) => {
          const { ids, base } = accumulators(bench, values);
          const cells = bench.putF64(values.map(([, value]) => value));
          const done = bench.kernel.sumValues(base, STRIDE, ids, cells, values.length);
          return { done, sums: sumsAt(bench, base) };
        });
        const { done, into } = folded(values, (so, value) => {
          const sum = added(so.sum, value);
          return sum === undefined ? undefined : { ...so, sum };
        });
        expect(found).toEqual({ done, sums: into.map(({ sum }) => sum) });
      }),
      { numRuns: 500 },
    );
  });

  test("to sums of tenths by the thousand", () => {
    const values = Array.from({ length: 200_000 }, (_, i) => [0, (i % 1000) / 10] as const);
    const sums = onBench((bench) => {
      const { ids, base } = accumulators(bench, values);
      const cells = bench.putF64(values.map(([, value]) => value));
      expect(bench.kernel.sumValues(base, STRIDE, ids, cells, values.length)).toBe(values.length);
      return sumsAt(bench, base);
    });
    expect(sums[0]).toBe(values.reduce((sum, [, value]) => sum + units(value), 0n));
  });

  test("to no sum if not finite", () => {
    for (const odd of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
      const values = [1, odd, 2].map((value) => [0, value] as const);
      const added = onBench((bench) => {
        const { ids, base } = accumulators(bench, values);
        const cells = bench.putF64(values.map(([, value]) => value));
        return bench.kernel.sumValues(base, STRIDE, ids, cells, 3);
      });
      expect(added).toBe(1);
    }
  });

  test("to counts, one each", () => {
    fc.assert(
      fc.property(grouped(fc.constant(undefined)), (values) => {
        const counts = onBench((bench) => {
          const { ids, base } = accumulators(bench, values);
          bench.kernel.countIds(base, STRIDE, ids, values.length);
          return Array.from({ length: GROUPS }, (_, id) => Number(bench.u64(base + STRIDE * id)));
        });
        const { into } = folded(values, (so) => ({ ...so, count: so.count + 1 }));
        expect(counts).toEqual(into.map(({ count }) => count));
      }),
    );
  });

  test("to the least and the greatest in the order of keys", () => {
    const extreme = fc.constantFrom("least" as const, "greatest" as const);
    fc.assert(
      fc.property(
        grouped(fc.oneof(fc.double(), fc.constantFrom(0, -0))),
        extreme,
        (values, kind) => {
          const found = onBench((bench) => {
            const { ids, base } = accumulators(bench, values);
            const cells = bench.putNumberKeys(values.map(([, value]) => value));
            bench.kernel[`${kind}Values`](base, STRIDE, ids, cells, values.length);
            return extremesAt(bench, base);
          });
          const { into } = folded(values, (so, value) => withExtreme(kind, so, value));
          expect(found).toEqual(into.map((one) => one.extreme));
        },
      ),
    );
  });
});

/** The extremes in memory; undefined where there is none. */
const extremesAt = (bench: KernelBench, base: number): (number | undefined)[] =>
  Array.from({ length: GROUPS }, (_, id) => {
    const at = base + STRIDE * id;
    return bench.u64(at + 8) === 0n ? undefined : keyedNumber(bench.u64(at));
  });

describe("accumulators of records are merged", () => {
  const natural = fc.oneof(fc.nat(300), fc.maxSafeInteger().map(Math.abs));
  const sum = fc.oneof(number, fc.tuple(fc.constantFrom(0, 2 ** -40), number));
  const odd = fc.oneof(fc.string(), fc.double(), fc.constantFrom(null, true, -1, [1], [1, "b"]));
  const mixed = fc.oneof(
    { weight: 4, arbitrary: natural },
    { weight: 4, arbitrary: sum },
    { weight: 9, arbitrary: fc.tuple(sum, natural) },
    { weight: 1, arbitrary: odd },
  );

  /** The kernel's result: the number of merged records, and its accumulators. */
  const mergedByKernel = (kind: Kind, values: Grouped<unknown>) =>
    onBench((bench) => {
      const { ids, base } = accumulators(bench, values);
      const places = bench.putU32(placesOf(bench, values));
      const { kernel } = bench;
      const done = kernel.mergeValues(VALUES[kind], base, STRIDE, ids, places, values.length);
      const countAt = kind === "mean" ? 16 : 0;
      const counts = Array.from({ length: GROUPS }, (_, id) =>
        Number(bench.u64(base + STRIDE * id + countAt)),
      );
      if (kind === "count") return { done, counts };
      if (kind === "sum") return { done, sums: sumsAt(bench, base) };
      if (kind === "mean") return { done, sums: sumsAt(bench, base), counts };
      return { done, extremes: extremesAt(bench, base) };
    });

  /** The places of the records' values. */
  const placesOf = (bench: KernelBench, values: Grouped<unknown>): number[] => {
    const records = values.map(([, value]) => encodeRecord(["k", value]));
    const { at, end } = bench.put(Buffer.concat(records));
    const cells = bench.take(8 * values.length);
    const places = bench.take(4 * values.length);
    const { kernel, result } = bench;
    expect(kernel.recordCells(at, end, cells, places, values.length, result)).toBe(values.length);
    return bench.u32s(places, values.length);
  };

  test.each<Kind>(["count", "sum", "mean", "least", "greatest"])(
    "of %s, until one is of another kind",
    (kind) => {
      const ofKind = { count: natural, sum, mean: fc.tuple(sum, natural), least: number };
      const usual: fc.Arbitrary<unknown> = kind === "greatest" ? number : ofKind[kind];
      const value = fc.oneof({ weight: 9, arbitrary: usual }, { weight: 1, arbitrary: mixed });
      fc.assert(
        fc.property(grouped(value), (values) => {
          const { done, into } = folded(values, (so, value) => merged(kind, so, value));
          const counts = into.map(({ count }) => count);
          // Beyond that, no count is exact here.
          fc.pre(counts.every(Number.isSafeInteger));
          expect(mergedByKernel(kind, values)).toEqual({
            done,
            ...(kind === "sum" || kind === "mean" ? { sums: into.map((one) => one.sum) } : {}),
            ...(kind === "count" || kind === "mean" ? { counts } : {}),
            ...(kind === "least" || kind === "greatest"
              ? { extremes: into.map((one) => one.extreme) }
              : {}),
          });
        }),
        { numRuns: 200 },
      );
    },
  );

  test("a sum of two numbers is merged as a whole, or not at all", () => {
    const values = [1, [2 ** -60, 2 ** 60], 3].map((value) => [0, value] as const);
    expect(mergedByKernel("sum", values)).toMatchObject({ done: 1, sums: { 0: units(1) } });
  });
});

test("the twin's sums equal the job's own fold", () => {
  fc.assert(
    fc.property(fc.array(number, upTo(9)), (values) => {
      const sum = values.reduce((so, value) => so + units(value), 0n);
      fc.pre(Number.isFinite(nearest(sum)));
      expect(nearest(sum) + 0).toBe(roundExactly(sum) + 0);
      expect(values.every((value) => compareKeys(nearest(units(value)) + 0, value + 0) === 0)).toBe(
        true,
      );
    }),
  );
});
