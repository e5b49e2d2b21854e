import type { Key } from "../../job/index.ts";
import type { Combine } from "../bytes/combine.ts";
import type { Order } from "../bytes/run-format.ts";
import type { RunWriter } from "../bytes/run-writer.ts";
import { ENTRY_BYTES, KEYS, VALUES } from "../kernel/kernel.ts";
import {
  type Entries,
  partitionEnd,
  partitionOf,
  setPartition,
  sorted,
  sortingBytes,
} from "./entries.ts";
import { putKey, putValue } from "./key-writer.ts";
import { putPartitions } from "./put-run.ts";
import { RecordCursor } from "./record-cursor.ts";
import { tooLarge, type Workspace } from "./workspace.ts";

/** Holds the pairs that a map emits until they are written as one sorted run. */
export interface Pairs {
  add(key: Key, value: unknown): void;
  /** Adds the pairs that wait for a batch. */
  flush(): void;
  readonly isEmpty: boolean;
  /** Writes every partition, combined, and empties itself; by key unless any order will do. */
  drainTo(writer: RunWriter, order: Order): void;
}

/** Where pairs go, and what to do when there is no room for more. */
export interface PairQuery {
  readonly space: Workspace;
  /** The bytes that it may hold, about; never more than the workspace has. */
  readonly bytesMax: number;
  readonly partitions: number;
  /** Undefined: partitions go by the hash of the key's bytes. */
  partition?(key: Key): number;
  /** Must write all pairs by `drainTo`. */
  spill(): void;
}

export interface ArenaQuery extends PairQuery {
  /** Undefined if values stay as they are. */
  readonly combine?: Combine;
  /** Replaces the emitted value. Default: the emitted value stays. */
  carried?(value: unknown): unknown;
}

/** Sizes of key and value below 128 take one byte each. */
const HEAD_BYTES = 2;
const SIZE_BYTES_MAX = 5;
const SMALL = 0x80;
/** The bytes of a record's entry, of the scratch for sorting it, and of its partition. */
const BESIDE_BYTES = 2 * ENTRY_BYTES + 8;
const CHUNK_BYTES = 256 * 1024;
const CHUNK_BYTES_MAX = 16 * CHUNK_BYTES;
/** The bytes lost to alignment, and of a block besides its records. */
const PADDING_BYTES = 1024;

/** Keeps every pair, encoded as its future record. */
export class PairArena implements Pairs {
  readonly #query: ArenaQuery;
  readonly #space: Workspace;
  readonly #start: number;
  /** The most bytes of the workspace that the arena may use. */
  readonly #bytesMax: number;
  #bytes: Uint8Array;
  #end: number;
  /** The end of the memory that was taken. */
  #limit: number;
  #count = 0;
  /** Bytes of the largest record, which is written from a block of its own. */
  #largest = 0;
  /** The partition of each record, if the user chooses it. */
  #partitions: number[] = [];

  constructor(query: ArenaQuery) {
    this.#query = query;
    this.#space = query.space;
    this.#start = this.#space.take(0);
    this.#bytesMax = this.#space.memory.free;
    this.#bytes = this.#space.memory.bytes;
    this.#end = this.#start;
    this.#limit = this.#start;
  }

  get isEmpty(): boolean {
    return this.#count === 0;
  }

  add(key: Key, value: unknown): void {
    const { partition, carried, bytesMax } = this.#query;
    const own = partition?.(key);
    this.#append(key, carried === undefined ? value : carried(value));
    if (own !== undefined) this.#partitions.push(own);
    const held = this.#end - this.#start + BESIDE_BYTES * this.#count;
    if (held > bytesMax) this.#query.spill();
  }

  flush(): void {}

  drainTo(writer: RunWriter): void {
    const { partitions, combine } = this.#query;
    const space = this.#space;
    const entries = this.#sorted();
    if (combine === undefined) {
      const shape = { keys: KEYS.record, values: VALUES.record, base: 0, stride: 0 };
      putPartitions({ space, entries, partitions, shape, writer });
    } else {
      combineAll({ space, entries, partitions, combine, writer });
    }
    this.#forget();
  }

  #append(key: Key, value: unknown): void {
    for (;;) {
      const keyStart = this.#end + HEAD_BYTES;
      const keyEnd = putKey(this.#bytes, keyStart, this.#limit, key);
      if (keyEnd < 0) {
        this.#makeRoom(HEAD_BYTES - keyEnd);
        continue;
      }
      const end = putValue(this.#bytes, keyEnd, this.#limit, value);
      if (end < 0) {
        this.#makeRoom(keyEnd - this.#end - end);
      } else if (this.#hasRoom(end - this.#end)) {
        this.#close(keyEnd, end);
        return;
      }
    }
  }

  /** Appends unordered records as a run file has them; there must be room for them. */
  appendRecords(records: Uint8Array, count: number): void {
    while (this.#limit - this.#end < records.length) this.#makeRoom(records.length);
    this.#bytes.set(records, this.#end);
    this.#end += records.length;
    this.#count += count;
  }

  /** A record's key and value follow the room for their sizes. */
  #close(keyEnd: number, end: number): void {
    const start = this.#end;
    const keyBytes = keyEnd - start - HEAD_BYTES;
    const valueBytes = end - keyEnd;
    if (keyBytes < SMALL && valueBytes < SMALL) {
      this.#bytes[start] = keyBytes;
      this.#bytes[start + 1] = valueBytes;
      this.#end = end;
    } else {
      const sizes = [...varint(keyBytes), ...varint(valueBytes)];
      this.#bytes.copyWithin(start + sizes.length, start + HEAD_BYTES, end);
      this.#bytes.set(sizes, start);
      this.#end = end + sizes.length - HEAD_BYTES;
    }
    this.#largest = Math.max(this.#largest, this.#end - start);
    this.#count++;
  }

  /** Makes room for a record of at least `wanted` bytes; spills if it must. */
  #makeRoom(wanted: number): void {
    if (!this.#hasRoom(wanted)) return;
    const { memory } = this.#space;
    const least = this.#end + wanted - this.#limit + 2 * SIZE_BYTES_MAX;
    const usual = Math.min(Math.max(this.#limit - this.#start, CHUNK_BYTES), CHUNK_BYTES_MAX);
    const chunk = Math.ceil(Math.max(least, Math.min(usual, memory.free - 64)) / 64) * 64;
    this.#space.take(chunk);
    this.#bytes = memory.bytes;
    // The sizes of a large record take more than the usual room for them.
    this.#limit = memory.used - 2 * SIZE_BYTES_MAX;
  }

  /** Whether one more record of `wanted` bytes fits; if not, all records have been spilled. */
  #hasRoom(wanted: number): boolean {
    const bytes = this.#end - this.#start + wanted;
    const block = Math.max(this.#largest, wanted);
    const needed = bytes + sortingBytes(this.#count + 1) + block + PADDING_BYTES;
    if (needed <= this.#bytesMax) return true;
    if (this.#count === 0) throw tooLarge(wanted, this.#space.memory.bytesMax);
    this.#query.spill();
    return false;
  }

  #sorted(): Entries {
    const { space, partitions, partition } = this.#query;
    const count = this.#count;
    // Memory that was taken and not filled is freed.
    space.memory.release(this.#end);
    const at = space.take(count * ENTRY_BYTES);
    space.kernel.recordEntries(this.#start, this.#end, 0, at, count, space.result);
    if (partition !== undefined) {
      for (let i = 0; i < count; i++) {
        setPartition(space, at + i * ENTRY_BYTES, this.#partitions[i] ?? 0);
      }
    } else if (partitions > 1) {
      space.kernel.partitionKeys(at, count, partitions);
    }
    return sorted(space, { at, count });
  }

  #forget(): void {
    this.#space.memory.release(this.#start);
    this.#end = this.#start;
    this.#limit = this.#start;
    this.#count = 0;
    this.#largest = 0;
    this.#partitions = [];
  }
}

function varint(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= SMALL; rest = Math.floor(rest / SMALL)) bytes.push((rest % SMALL) | SMALL);
  bytes.push(rest);
  return bytes;
}

function combineAll(query: {
  readonly space: Workspace;
  readonly entries: Entries;
  readonly partitions: number;
  readonly combine: Combine;
  readonly writer: RunWriter;
}): void {
  const { space, entries, partitions, combine, writer } = query;
  let { at, count } = entries;
  for (let partition = 0; partition < partitions; partition++) {
    const isThere = count > 0 && partitionOf(space, at) === partition;
    const size = isThere ? partitionEnd(space, { at, count }) : 0;
    combine(new RecordCursor(space, { at, count: size }), writer);
    writer.endPartition();
    at += size * ENTRY_BYTES;
    count -= size;
  }
}
