import { FrequentKeys, type FrequentKeysData } from "../../job/frequent-keys.ts";
import { isKey } from "../../job/key.ts";
import { DatasetWriter, type RecordWriter } from "./dataset-file.ts";

/** A part of a dataset of frequent keys: one record, the sketch of all its keys. */
export class FrequentWriter implements RecordWriter {
  readonly #writer: DatasetWriter;
  readonly #keys: FrequentKeys;

  /** `capacity`: the number of keys in the sketch. */
  constructor(path: string, capacity: number) {
    this.#writer = new DatasetWriter(path);
    this.#keys = new FrequentKeys(capacity);
  }

  get bytes(): number {
    return this.#writer.bytes;
  }

  write(key: unknown): void {
    // A value that is no key is refused when it is shuffled.
    if (isKey(key)) this.#keys.add(key);
  }

  finish(): ReturnType<RecordWriter["finish"]> {
    this.#writer.write(this.#keys.data);
    return this.#writer.finish();
  }

  close(): void {
    this.#writer.close();
  }
}

/** Merges the parts of such a dataset. */
export function frequentKeysOf(sketches: Iterable<unknown>): FrequentKeys {
  const parts = Array.from(sketches).filter(isSketch);
  const all = new FrequentKeys(parts.reduce((most, { capacity }) => Math.max(most, capacity), 1));
  for (const part of parts) all.merge(part);
  return all;
}

/** Only records written by a `FrequentWriter` are read. */
const isSketch = (record: unknown): record is FrequentKeysData =>
  typeof record === "object" && record !== null && "counts" in record;
