import { never } from "../../base/assert.ts";
import { InputError } from "../../base/input-error.ts";
import { compareKeys, type Key } from "../../job/index.ts";
import { hashKey } from "../../job/key-hash.ts";
import type { KeyMap } from "../../job/key-map.ts";
import type { Partition } from "../../job/program.ts";
import { placeOf } from "../../job/top-k.ts";
import { hotKeysFrom, splittersFrom } from "./sampled-keys.ts";

/** The partitions of a key; undefined: by the hash of its bytes. */
export type Partitioning =
  | { readonly kind: "one"; of(key: Key): number }
  /** Some keys go to several partitions. */
  | { readonly kind: "many"; of(key: Key): readonly number[] };

export interface PartitioningQuery {
  readonly partition: Partition;
  readonly partitions: number;
  /** The task's index: where it starts in sending keys to all partitions in turn. */
  readonly task: number;
  /** The parts of a dataset. */
  files(dataset: number): readonly string[];
}

export function partitioningOf(query: PartitioningQuery): Partitioning | undefined {
  const { partition, partitions, files } = query;
  switch (partition.kind) {
    case "hash":
      return undefined;
    case "own":
      return {
        kind: "one",
        of: (key) => checked(partition.partition(key, partitions), partitions),
      };
    case "range": {
      const splitters = splittersFrom({ files: files(partition.sample), partitions });
      return { kind: "one", of: (key) => placeOf(splitters, (one) => compareKeys(one, key) <= 0) };
    }
    case "salted": {
      const hot = hotKeysFrom({ files: files(partition.sample), partitions });
      return salted(query, hot, partition.hot);
    }
    default:
      return never(partition);
  }
}

function checked(partition: number, partitions: number): number {
  if (Number.isInteger(partition) && partition >= 0 && partition < partitions) return partition;
  const expected = `expected a whole number from 0 to ${partitions - 1}, found ${partition}`;
  throw new InputError("bad-job", "partition", expected);
}

/** The turn counts within the task, so that a repeated attempt makes the same choices. */
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
