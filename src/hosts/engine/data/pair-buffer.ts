import { defined } from "../../../base/assert.ts";
import { ByteWriter } from "../../../job/byte-writer.ts";
import { type Cursor, compareBytes } from "./cursor.ts";

/**
 * At most so many records in a buffer, so that a record's number and four bytes of its key fit a
 * double.
 */
const RECORDS_MAX = 2 ** 21;

/** Int32s for each record: its partition, and where its key and its value end. */
const FIELDS = 3;

/** Pairs as bytes, waiting to be sorted by partition and key. */
export class PairBuffer {
  /** Key and value of each pair, one after the other. Write here, then say so by `add`. */
  readonly pairs = new ByteWriter(64 * 1024);
  #fields = new Int32Array(FIELDS * 1024);
  #count = 0;

  get bytes(): number {
    return this.pairs.length + 4 * FIELDS * this.#count;
  }

  get count(): number {
    return this.#count;
  }

  /** A fuller one could not be sorted. */
  static readonly countMax = RECORDS_MAX;

  /** A pair has been written to the end of `pairs`; its key ends at `keyEnd`. */
  add({ partition, keyEnd }: { partition: number; keyEnd: number }): void {
    const at = this.#count++ * FIELDS;
    if (at >= this.#fields.length) this.#grow();
    this.#fields[at] = partition;
    this.#fields[at + 1] = keyEnd;
    this.#fields[at + 2] = this.pairs.length;
  }

  clear(): void {
    this.#count = 0;
    this.pairs.length = 0;
  }

  /** The records of each partition, sorted by key and, within a key, by when they were added. */
  sorted(partitions: number): readonly Cursor[] {
    const byPartition = this.#byPartition(partitions);
    return byPartition.map((records) => new SortedCursor(this, this.#sort(records)));
  }

  start(record: number): number {
    return record === 0 ? 0 : this.end(record - 1);
  }

  keyEnd(record: number): number {
    return this.#fields[record * FIELDS + 1] ?? 0;
  }

  end(record: number): number {
    return this.#fields[record * FIELDS + 2] ?? 0;
  }

  #grow(): void {
    const grown = new Int32Array(2 * this.#fields.length);
    grown.set(this.#fields);
    this.#fields = grown;
  }

  /** The numbers of each partition's records, in order. */
  #byPartition(partitions: number): readonly Int32Array[] {
    const sizes = new Int32Array(partitions);
    for (let i = 0; i < this.#count; i++) {
      const partition = this.#fields[i * FIELDS] ?? 0;
      sizes[partition] = (sizes[partition] ?? 0) + 1;
    }
    const records = Array.from(sizes, (size) => new Int32Array(size));
    sizes.fill(0);
    for (let i = 0; i < this.#count; i++) {
      const partition = this.#fields[i * FIELDS] ?? 0;
      const at = sizes[partition] ?? 0;
      defined(records[partition], "a partition below the count")[at] = i;
      sizes[partition] = at + 1;
    }
    return records;
  }

  /**
   * By four bytes of the key, taken behind what all keys have in common and packed into a double
   * with the record's place: doubles sort natively. Then, among equal ones, by the whole key.
   */
  #sort(records: Int32Array): Int32Array {
    const skip = this.#commonPrefix(records);
    const packed = Float64Array.from(
      records,
      (record, i) => this.#prefix(record, skip) * RECORDS_MAX + i,
    );
    packed.sort();
    const sorted = Int32Array.from(packed, (one) => records[one % RECORDS_MAX] ?? 0);
    const prefixAt = (i: number): number => Math.floor((packed[i] ?? 0) / RECORDS_MAX);
    for (let start = 0; start < packed.length; ) {
      const prefix = prefixAt(start);
      let end = start + 1;
      while (end < packed.length && prefixAt(end) === prefix) end++;
      if (end - start > 1) sorted.set(this.#sortWhole(sorted.subarray(start, end)), start);
      start = end;
    }
    return sorted;
  }

  /** Records that rise by number; the sort is stable, so equal keys stay in that order. */
  #sortWhole(records: Int32Array): readonly number[] {
    const { bytes } = this.pairs;
    return Array.from(records).sort((x, y) =>
      compareBytes(bytes, this.start(x), this.keyEnd(x), bytes, this.start(y), this.keyEnd(y)),
    );
  }

  #commonPrefix(records: Int32Array): number {
    const { bytes } = this.pairs;
    const first = this.start(records[0] ?? 0);
    let common = records.length === 0 ? 0 : this.keyEnd(records[0] ?? 0) - first;
    for (const record of records) {
      const start = this.start(record);
      common = Math.min(common, this.keyEnd(record) - start);
      for (let i = 0; i < common; i++) if (bytes[first + i] !== bytes[start + i]) common = i;
    }
    return common;
  }

  /** The four bytes of a key from `skip` on, as a number; zeros where it is shorter. */
  #prefix(record: number, skip: number): number {
    const { bytes } = this.pairs;
    const start = this.start(record) + skip;
    const end = Math.min(start + 4, this.keyEnd(record));
    let prefix = 0;
    for (let i = start; i < start + 4; i++) prefix = prefix * 256 + (i < end ? (bytes[i] ?? 0) : 0);
    return prefix;
  }
}

class SortedCursor implements Cursor {
  readonly bytes: Uint8Array;
  keyStart = 0;
  keyEnd = 0;
  end = 0;
  readonly #buffer: PairBuffer;
  readonly #records: Int32Array;
  #next = 0;

  constructor(buffer: PairBuffer, records: Int32Array) {
    this.bytes = buffer.pairs.bytes;
    this.#buffer = buffer;
    this.#records = records;
  }

  advance(): boolean {
    const record = this.#records[this.#next++];
    if (record === undefined) return false;
    this.keyStart = this.#buffer.start(record);
    this.keyEnd = this.#buffer.keyEnd(record);
    this.end = this.#buffer.end(record);
    return true;
  }
}
