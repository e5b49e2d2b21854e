import { InputError } from "../../../base/input-error.ts";
import type { Job, Key } from "../../../job/index.ts";
import { writeKey } from "../../../job/key-bytes.ts";
import { hashBytes } from "../../../job/key-hash.ts";
import type { Combine } from "./combine.ts";
import { PairBuffer } from "./pair-buffer.ts";
import type { RunWriter } from "./run-writer.ts";
import { writeValue } from "./value-bytes.ts";

/** Holds what a map emits until it is written as one sorted run. */
export interface Collector {
  add(key: Key, value: unknown): void;
  /** Memory held, about. */
  readonly bytes: number;
  /** It can take no more, whatever its bytes. */
  readonly isFull: boolean;
  readonly isEmpty: boolean;
  /** Writes every partition, sorted and combined, and forgets it all. */
  drainTo(writer: RunWriter): void;
}

/** Which reduce gets a key, by the job's own rule or by the hash of the key's bytes. */
export class Partitioner {
  readonly reduces: number;
  readonly #job: Job;

  constructor(job: Job, reduces: number) {
    this.#job = job;
    this.reduces = reduces;
  }

  /** The key's bytes stand in `bytes`. */
  of(key: Key, bytes: Uint8Array, start: number, end: number): number {
    if (this.#job.partition === undefined) return hashBytes(bytes, start, end) % this.reduces;
    const partition = this.#job.partition(key, this.reduces);
    if (Number.isInteger(partition) && partition >= 0 && partition < this.reduces) return partition;
    const expected = `expected a whole number from 0 to ${this.reduces - 1}, found ${partition}`;
    throw new InputError("bad-job", "partition", expected);
  }
}

export interface PairCollection {
  readonly partitioner: Partitioner;
  readonly combine: Combine;
  /** What travels in place of a value; the value itself unless told. */
  carried?(value: unknown): unknown;
}

/** Keeps every pair. */
export class PairCollector implements Collector {
  readonly #buffer = new PairBuffer();
  readonly #collection: PairCollection;

  constructor(collection: PairCollection) {
    this.#collection = collection;
  }

  get bytes(): number {
    return this.#buffer.bytes;
  }

  get isFull(): boolean {
    return this.#buffer.count >= PairBuffer.countMax;
  }

  get isEmpty(): boolean {
    return this.#buffer.count === 0;
  }

  add(key: Key, value: unknown): void {
    const { pairs } = this.#buffer;
    const start = pairs.length;
    writeKey(pairs, key);
    const keyEnd = pairs.length;
    const partition = this.#collection.partitioner.of(key, pairs.bytes, start, keyEnd);
    const { carried } = this.#collection;
    writeValue(pairs, carried === undefined ? value : carried(value));
    this.#buffer.add({ partition, keyEnd });
  }

  drainTo(writer: RunWriter): void {
    const { partitioner, combine } = this.#collection;
    for (const records of this.#buffer.sorted(partitioner.reduces)) {
      combine(records, writer);
      writer.endPartition();
    }
    this.#buffer.clear();
  }
}
