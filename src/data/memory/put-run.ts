import { assert } from "../../base/assert.ts";
import { BLOCK_HEADER_BYTES, type Order } from "../bytes/run-format.ts";
import type { RunWriter } from "../bytes/run-writer.ts";
import { ENTRY_BYTES, VALUES } from "../kernel/kernel.ts";
import { type Entries, keyBytesOf, partitionOf, payloadOf } from "./entries.ts";
import { recordBytes } from "./record-cursor.ts";
import type { Workspace } from "./workspace.ts";

/** The kinds of entries' keys and values: see `putRecords` in `src/data/kernel/kernel.ts`. */
export interface PairShape {
  /** One of `KEYS`. */
  readonly keys: number;
  /** One of `VALUES`. */
  readonly values: number;
  /** The place of the accumulators and their distance; or the one value, and its bytes. */
  readonly base: number;
  readonly stride: number;
}

/** A head of two varints, an accumulator, and the free bytes that a kernel needs. */
const BESIDE_KEY_BYTES = 128;

/** Writes entries, sorted by partition and key, as the partitions of a run, empty ones included. */
export function putPartitions(query: {
  readonly space: Workspace;
  readonly entries: Entries;
  readonly partitions: number;
  readonly shape: PairShape;
  readonly writer: RunWriter;
}): void {
  const { space, entries, partitions, shape, writer } = query;
  const { at, count } = entries;
  let done = 0;
  for (let partition = 0; partition < partitions; partition++) {
    while (done < count && partitionOf(space, at + done * ENTRY_BYTES) === partition) {
      const rest = { at: at + done * ENTRY_BYTES, count: count - done };
      done += putBlock(space, rest, shape, writer);
    }
    writer.endPartition();
  }
  assert(done === count, "every entry has a partition below their count");
}

/** Blocks of shorter keys stay small, and a table of any size takes most such keys. */
const UNORDERED_KEY_BYTES_MAX = 16 * 1024;

/** A table of keys, each with the value to write for it. */
export interface KeyTable {
  sorted(partitions?: number): Entries;
  parted(partitions: number): Entries;
}

/** Writes the contents of a table as the partitions of a run. Returns the number of keys. */
export function putTable(query: {
  readonly space: Workspace;
  readonly table: KeyTable;
  readonly partitions: number;
  readonly order: Order;
  readonly shape: PairShape;
  readonly writer: RunWriter;
}): number {
  const { space, table, partitions, order, writer } = query;
  const unordered = order === "any" ? shortKeys(space, table, partitions) : undefined;
  if (unordered !== undefined) writer.leaveUnordered();
  const entries = unordered ?? table.sorted(partitions > 1 ? partitions : undefined);
  putPartitions({ ...query, entries });
  return entries.count;
}

/** The entries in no order; undefined if a key is too long for that. */
function shortKeys(space: Workspace, table: KeyTable, partitions: number): Entries | undefined {
  const mark = space.memory.used;
  const entries = table.parted(partitions);
  for (let i = 0; i < entries.count; i++) {
    if (keyBytesOf(space, entries.at + i * ENTRY_BYTES) > UNORDERED_KEY_BYTES_MAX) {
      space.memory.release(mark);
      return undefined;
    }
  }
  return entries;
}

/** Writes entries of one partition to the writer's current one. */
export function putAll(
  space: Workspace,
  entries: Entries,
  shape: PairShape,
  writer: RunWriter,
): void {
  for (let done = 0; done < entries.count; ) {
    const rest = { at: entries.at + done * ENTRY_BYTES, count: entries.count - done };
    done += putBlock(space, rest, shape, writer);
  }
}

/** The records of entries of one partition, as a run file has them, outside the workspace. */
export function copyRecords(
  space: Workspace,
  { at, count }: Entries,
  { keys, values, base, stride }: PairShape,
): readonly { readonly bytes: Uint8Array; readonly count: number }[] {
  const { memory, kernel, out, outEnd, result } = space;
  const copies: { bytes: Uint8Array; count: number }[] = [];
  for (let done = 0; done < count; ) {
    const entry = at + done * ENTRY_BYTES;
    const left = count - done;
    const put = kernel.putRecords(entry, left, keys, values, base, stride, out, outEnd, result);
    assert(put > 0, "a record fits a block");
    copies.push({ bytes: memory.bytes.slice(out, space.reached), count: put });
    done += put;
  }
  return copies;
}

/**
 * Writes a block of as many entries of the first one's partition as fit, at least one; returns
 * their number.
 */
function putBlock(space: Workspace, rest: Entries, shape: PairShape, writer: RunWriter): number {
  const { memory, out, outEnd } = space;
  const put = putInto(space, rest, shape, { at: out, end: outEnd, writer });
  if (put > 0) return put;
  // A single record is larger than a block.
  const mark = memory.used;
  const room = BLOCK_HEADER_BYTES + BESIDE_KEY_BYTES + bytesMax(space, rest.at, shape);
  const at = space.takeLarge(room);
  const one = putInto(space, { at: rest.at, count: 1 }, shape, { at, end: at + room, writer });
  memory.release(mark);
  assert(one === 1, "a large record fits its block");
  return one;
}

interface Block {
  readonly at: number;
  readonly end: number;
  readonly writer: RunWriter;
}

function putInto(space: Workspace, { at, count }: Entries, shape: PairShape, block: Block): number {
  const { memory, kernel, result } = space;
  const { keys, values, base, stride } = shape;
  const first = block.at + BLOCK_HEADER_BYTES;
  const put = kernel.putRecords(at, count, keys, values, base, stride, first, block.end, result);
  if (put === 0) return 0;
  const bytes = Buffer.from(memory.bytes.buffer, block.at, space.reached - block.at);
  block.writer.writeBlock(bytes, put);
  return put;
}

/** The most bytes that an entry's key and value can take in a record. */
function bytesMax(space: Workspace, entry: number, { values, stride }: PairShape): number {
  if (values === VALUES.record) return recordBytes(space.memory.bytes, payloadOf(space, entry));
  // A string's zeros are escaped.
  return 2 * keyBytesOf(space, entry) + stride;
}
