import { never } from "../../../../base/assert.ts";
import { InputError } from "../../../../base/input-error.ts";
import { compareKeys, type Key } from "../../../../job/index.ts";
import { isKey } from "../../../../job/key.ts";
import { hashKey } from "../../../../job/key-hash.ts";
import { KeyMap } from "../../../../job/key-map.ts";
import type { Partition } from "../../../../job/program.ts";
import { placeOf } from "../../../../job/top-k.ts";

/** Where a key goes: undefined, by the hash of its bytes. */
export type Partitioning =
  | { readonly kind: "one"; of(key: Key): number }
  /** Some keys go to several. */
  | { readonly kind: "many"; of(key: Key): readonly number[] };

export interface PartitioningQuery {
  readonly partition: Partition;
  readonly partitions: number;
  /** The task's index: where it begins with keys that go to all in turn. */
  readonly task: number;
  /** The keys of a dataset. */
  sample(dataset: number): Iterable<unknown>;
}

export function partitioningOf(query: PartitioningQuery): Partitioning | undefined {
  const { partition, partitions } = query;
  const sample = (dataset: number): readonly Key[] =>
    Array.from(query.sample(dataset)).filter(isKey);
  switch (partition.kind) {
    case "hash":
      return undefined;
    case "own":
      return {
        kind: "one",
        of: (key) => checked(partition.partition(key, partitions), partitions),
      };
    case "range": {
      const splitters = splittersOf(sample(partition.sample), partitions);
      return { kind: "one", of: (key) => placeOf(splitters, (one) => compareKeys(one, key) <= 0) };
    }
    case "salted":
      return salted(query, hotKeys(sample(partition.sample), partitions), partition.hot);
    default:
      return never(partition);
  }
}

function checked(partition: number, partitions: number): number {
  if (Number.isInteger(partition) && partition >= 0 && partition < partitions) return partition;
  const expected = `expected a whole number from 0 to ${partitions - 1}, found ${partition}`;
  throw new InputError("bad-job", "partition", expected);
}

/**
 * Keys that cut the sample into equal shares: a partition holds those from one of them up to before
 * the next. Equal keys are never parted, so there may be fewer than partitions, less one.
 */
export function splittersOf(sample: readonly Key[], partitions: number): readonly Key[] {
  const sorted = [...sample].sort(compareKeys);
  const splitters: Key[] = [];
  for (let share = 1; share < partitions; share++) {
    const key = sorted[Math.floor((share * sorted.length) / partitions)];
    const last = splitters.at(-1);
    if (key === undefined || (last !== undefined && compareKeys(last, key) === 0)) continue;
    splitters.push(key);
  }
  return splitters;
}

/** Keys that alone are more than half of a partition's share of the sample. */
export function hotKeys(sample: readonly Key[], partitions: number): KeyMap<true> {
  const counts = new KeyMap<{ count: number }>();
  for (const key of sample) counts.getOrMake(key, () => ({ count: 0 })).count++;
  const hot = new KeyMap<true>();
  const least = Math.max(2, sample.length / (2 * partitions));
  for (const [key, { count }] of counts.entries())
    if (count > least) hot.getOrMake(key, () => true);
  return hot;
}

/** In turn by the task's own count, so that a task that is run again does the same. */
function salted(
  { partitions, task }: PartitioningQuery,
  hot: KeyMap<true>,
  where: "in-turn" | "to-all",
): Partitioning {
  const byHash = (key: Key): number => hashKey(key) % partitions;
  if (where === "to-all") {
    const all = Array.from({ length: partitions }, (_, partition) => partition);
    return { kind: "many", of: (key) => (hot.get(key) ? all : [byHash(key)]) };
  }
  let turn = task;
  return { kind: "one", of: (key) => (hot.get(key) ? turn++ % partitions : byHash(key)) };
}
