import { compareKeys, type Key } from "../../job/index.ts";
import { isKey } from "../../job/key.ts";
import { KeyMap } from "../../job/key-map.ts";
import { datasetRecords } from "./dataset-file.ts";
import { frequentKeysOf } from "./frequent-writer.ts";

/** The parts of a sample's dataset, and the number of partitions to cut. */
export interface SampleQuery {
  readonly files: readonly string[];
  readonly partitions: number;
}

/** Keys that cut a sample of first keys into equal shares: see `splittersOf`. */
export function splittersFrom({ files, partitions }: SampleQuery): readonly Key[] {
  const of = files.join("\n");
  if (sample?.of !== of) {
    sample = { of, sorted: Array.from(recordsOf(files)).filter(isKey).sort(compareKeys) };
  }
  return splittersOf(sample.sorted, partitions);
}

/** Keys that alone may exceed half of a partition's share, by a sample of frequent keys. */
export function hotKeysFrom(query: SampleQuery): KeyMap<true> {
  if (hot?.of !== nameOf(query)) {
    hot = { of: nameOf(query), keys: hotKeys(recordsOf(query.files), query.partitions) };
  }
  return hot.keys;
}

/** The last sample of this thread: consecutive tasks partition keys by the same sample. */
let sample: { readonly of: string; readonly sorted: readonly Key[] } | undefined;
let hot: { readonly of: string; readonly keys: KeyMap<true> } | undefined;

/** The paths of a sample's parts identify it: no part is ever written again. */
const nameOf = ({ files, partitions }: SampleQuery): string => [partitions, ...files].join("\n");

function* recordsOf(files: readonly string[]): Generator<unknown, void, undefined> {
  for (const file of files) yield* datasetRecords(file);
}

/**
 * Keys that cut the sorted sample into equal shares: a partition holds the keys from one of them up
 * to before the next. Equal keys stay together, so there may be fewer than partitions less one.
 */
function splittersOf(sorted: readonly Key[], partitions: number): readonly Key[] {
  const splitters: Key[] = [];
  for (let share = 1; share < partitions; share++) {
    const key = sorted[Math.floor((share * sorted.length) / partitions)];
    const last = splitters.at(-1);
    if (key === undefined || (last !== undefined && compareKeys(last, key) === 0)) continue;
    splitters.push(key);
  }
  return splitters;
}

function hotKeys(sketches: Iterable<unknown>, partitions: number): KeyMap<true> {
  const all = frequentKeysOf(sketches);
  const hot = new KeyMap<true>();
  for (const key of all.above(Math.max(2, all.added / (2 * partitions)))) {
    hot.getOrMake(key, () => true);
  }
  return hot;
}
