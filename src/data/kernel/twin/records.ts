import { CELL_BYTES, ENTRY_BYTES, KEYS, type Kernel, VALUES } from "../kernel.ts";
import type { KernelMemory } from "../memory.ts";
import { hasZero, readCount, readRecord, writeVarint } from "./bytes.ts";
import { readEntry, readPartition, writeEntry } from "./entries.ts";
import { readNumberKey, writeArrayHead, writeNumber, writeSum } from "./values.ts";

const NUMBER_TAG = 0x04;
const STRING_TAG = 0x06;
/** What is put may be written 16 bytes beyond its end, and two varints take up to 10. */
const OVERSHOOT = 16;
const HEAD_MAX = 10;
/** The longest value: a mean. */
const VALUE_MAX = 32;

type Functions = "recordEntries" | "recordCells" | "putRecords";

/** `assembly/records.ts` */
export function recordsTwin(memory: KernelMemory): Pick<Kernel, Functions> {
  return {
    recordEntries(at, end, skip, into, room, result) {
      let place = at;
      let count = 0;
      for (; place < end && count < room; count++) {
        const record = readRecord(memory.bytes, place);
        const entry = into + count * ENTRY_BYTES;
        const key = record.key + skip;
        writeEntry(memory, entry, { key, keyBytes: record.keyBytes - skip, payload: place });
        place = record.end;
      }
      memory.view.setUint32(result, place, true);
      return count;
    },

    recordCells(at, end, cells, values, room, result) {
      const { bytes, view } = memory;
      let place = at;
      let count = 0;
      for (; place < end && count < room; count++) {
        const record = readRecord(bytes, place);
        view.setUint32(cells + count * CELL_BYTES, record.key, true);
        view.setUint32(cells + count * CELL_BYTES + 4, record.keyBytes, true);
        view.setUint32(values + count * 4, record.value, true);
        place = record.end;
      }
      view.setUint32(result, place, true);
      return count;
    },

    putRecords(entries, count, keys, values, base, stride, out, outEnd, result) {
      const { view } = memory;
      const partition = readPartition(view, entries);
      let place = out;
      let i = 0;
      for (; i < count; i++) {
        const entry = entries + i * ENTRY_BYTES;
        if (readPartition(view, entry) !== partition) break;
        const record = { entry, keys, values, base, stride };
        const end = putRecord(memory, record, place, outEnd - OVERSHOOT);
        if (end === undefined) break;
        place = end;
      }
      view.setUint32(result, place, true);
      return i;
    },
  };
}

/** What is to be put, as `putRecords` is told. */
interface Put {
  readonly entry: number;
  readonly keys: number;
  readonly values: number;
  readonly base: number;
  readonly stride: number;
}

/** Where it ends; undefined: it would be beyond `last`. */
function putRecord(memory: KernelMemory, put: Put, at: number, last: number): number | undefined {
  const { bytes, view } = memory;
  const { payload } = readEntry(view, put.entry);
  if (put.values === VALUES.record) {
    const { end } = readRecord(bytes, payload);
    if (at + end - payload > last) return undefined;
    bytes.copyWithin(at, payload, end);
    return at + end - payload;
  }
  const key = encodedKey(memory, put);
  const value = encodedValue(memory, put);
  if (at + key.length + value.length + HEAD_MAX > last) return undefined;
  const start = writeVarint(bytes, writeVarint(bytes, at, key.length), value.length);
  bytes.set(key, start);
  bytes.set(value, start + key.length);
  return start + key.length + value.length;
}

function encodedKey({ bytes, view }: KernelMemory, { entry, keys }: Put): Uint8Array {
  const { key, keyBytes } = readEntry(view, entry);
  const own = bytes.subarray(key, key + keyBytes);
  if (keys === KEYS.encoded) return own;
  if (keys === KEYS.number) {
    return Uint8Array.of(NUMBER_TAG, ...bytes.subarray(entry, entry + 8).toReversed());
  }
  const escaped = hasZero(bytes, key, key + keyBytes)
    ? Array.from(own).flatMap((byte) => (byte === 0 ? [0, 0xff] : [byte]))
    : own;
  const encoded = new Uint8Array(escaped.length + 2);
  encoded[0] = STRING_TAG;
  encoded.set(escaped, 1);
  return encoded;
}

const made = new Uint8Array(VALUE_MAX);
const madeView = new DataView(made.buffer);

function encodedValue({ bytes, view }: KernelMemory, put: Put): Uint8Array {
  if (put.values === VALUES.constant) return bytes.subarray(put.base, put.base + put.stride);
  const at = accumulatorOf(view, put);
  switch (put.values) {
    case VALUES.slot:
    case VALUES.count:
      return made.subarray(0, writeNumber(madeView, made, 0, readCount(view, at)));
    case VALUES.sum:
      return made.subarray(0, writeSum(madeView, made, 0, readSum(view, at)));
    case VALUES.mean: {
      const sum = writeSum(madeView, made, writeArrayHead(made, 0, 2), readSum(view, at));
      return made.subarray(0, writeNumber(madeView, made, sum, readCount(view, at + 16)));
    }
    default:
      return made.subarray(0, writeNumber(madeView, made, 0, readNumberKey(view, at)));
  }
}

const readSum = (view: DataView, at: number): { readonly high: number; readonly low: number } => ({
  high: view.getFloat64(at, true),
  low: view.getFloat64(at + 8, true),
});

/** Where the accumulator of an entry lies: of a slot, its number. */
export function accumulatorOf(
  view: DataView,
  { entry, values, base, stride }: Omit<Put, "keys">,
): number {
  const { payload } = readEntry(view, entry);
  return values === VALUES.slot ? payload + 24 : base + stride * payload;
}
