import { InputError } from "../base/input-error.ts";
import type { Fold } from "./fold.ts";
import { compareKeys } from "./key-order.ts";
import { placeOf } from "./top-k.ts";

/** Up to this many values are kept exactly. */
const EXACT_MAX = 1000;

/**
 * Up to 1000 values: the values themselves. More: the number of values in each bucket. The form and
 * the contents depend on the values alone, not on the order of adds and merges.
 */
type Sketch =
  | { readonly values: number[] }
  | { readonly buckets: number[]; readonly counts: number[] };

/**
 * The value below which a fraction `q` of the values lie, 0 to 1: exact (by nearest rank) up to
 * 1000 values, beyond that within 0.4 % of it. NaN is the greatest number.
 */
export function quantile(q: number): Fold<number, Sketch, number> {
  if (!(q >= 0 && q <= 1)) {
    throw new InputError("bad-job", "quantile", `expected a fraction from 0 to 1, found ${q}`);
  }
  return {
    name: `quantile-${q}`,
    init: () => ({ values: [] }),
    add: addValue,
    merge: mergeSketches,
    done: (so) => valueAt(so, q),
  };
}

function addValue(so: Sketch, value: number): Sketch {
  if (typeof value !== "number") {
    throw new InputError("bad-job", "quantile", `expected a number, found ${typeof value}`);
  }
  if (!("values" in so)) return addToBucket(so, bucketOf(value), 1);
  so.values.push(value);
  return so.values.length > EXACT_MAX ? bucketed(so.values) : so;
}

function mergeSketches(left: Sketch, right: Sketch): Sketch {
  if ("values" in right) return right.values.reduce(addValue, left);
  const into = "values" in left ? bucketed(left.values) : left;
  for (const [i, bucket] of right.buckets.entries()) {
    addToBucket(into, bucket, right.counts[i] ?? 0);
  }
  return into;
}

type Buckets = Extract<Sketch, { readonly counts: number[] }>;

const bucketed = (values: readonly number[]): Buckets =>
  values.reduce<Buckets>((so, value) => addToBucket(so, bucketOf(value), 1), {
    buckets: [],
    counts: [],
  });

function addToBucket(so: Buckets, bucket: number, count: number): Buckets {
  const { buckets, counts } = so;
  const at = placeOf(buckets, (one) => one < bucket);
  if (buckets[at] === bucket) {
    counts[at] = (counts[at] ?? 0) + count;
  } else {
    buckets.splice(at, 0, bucket);
    counts.splice(at, 0, count);
  }
  return so;
}

function valueAt(so: Sketch, q: number): number {
  if ("values" in so) {
    const sorted = [...so.values].sort(compareKeys);
    return sorted[rankOf(q, sorted.length)] ?? Number.NaN;
  }
  const rank = rankOf(
    q,
    so.counts.reduce((sum, count) => sum + count, 0),
  );
  let behind = 0;
  for (const [i, bucket] of so.buckets.entries()) {
    behind += so.counts[i] ?? 0;
    if (rank < behind) return middleOf(bucket);
  }
  return Number.NaN;
}

/** Nearest rank, from 0. */
const rankOf = (q: number, count: number): number => Math.max(0, Math.ceil(q * count) - 1);

const view = new DataView(new ArrayBuffer(8));

/** Ignored bits of a float's high word: 7 bits of the significand remain, 1/128 of the value. */
const DROPPED_BITS = 13;
const INFINITE_BUCKET = 0x7ff0_0000 >>> DROPPED_BITS;

/** Rises with the value: the high bits of its size, in reverse order below 0. */
function bucketOf(value: number): number {
  view.setFloat64(0, value);
  const size = (view.getUint32(0) & 0x7fff_ffff) >>> DROPPED_BITS;
  return value < 0 || Object.is(value, -0) ? -1 - size : size;
}

function middleOf(bucket: number): number {
  const size = bucket < 0 ? -1 - bucket : bucket;
  view.setUint32(0, (size << DROPPED_BITS) + (isEdge(size) ? 0 : 1 << (DROPPED_BITS - 1)));
  view.setUint32(4, 0);
  const middle = view.getFloat64(0);
  return bucket < 0 ? -middle : middle;
}

/** The buckets of zero and infinity hold one value each. */
const isEdge = (size: number): boolean => size === 0 || size >= INFINITE_BUCKET;
