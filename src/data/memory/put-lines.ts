import { isUtf8 } from "node:buffer";
import { assert } from "../../base/assert.ts";
import type { ByteReader } from "../../job/byte-writer.ts";
import type { Key } from "../../job/index.ts";
import { readKey } from "../../job/key-bytes.ts";
import { readText } from "../../job/wtf8.ts";
import { readValue, readVarint } from "../bytes/value-bytes.ts";
import { ENTRY_BYTES, KEYS, VALUES } from "../kernel/kernel.ts";
import { type Entries, keyBytesOf, keyOf } from "./entries.ts";
import type { PairShape } from "./put-run.ts";
import type { Workspace } from "./workspace.ts";

/** A receiver of output, as lines or as records. */
export interface LineSink {
  /** Takes whole lines, with their ends. */
  writeLines(bytes: Uint8Array, start: number, end: number, records: number): void;
  write(record: unknown): void;
}

export interface LineQuery {
  readonly space: Workspace;
  /** The keys are encoded, or plain strings without values. */
  readonly shape: PairShape;
  readonly sink: LineSink;
  /** The record of a key and its value, for a line that the kernels cannot write. */
  recordOf(key: Key, value: unknown): unknown;
}

/** Writes a line for each entry: its key, then, if it has a value, TAB and the value. */
export function putLines(query: LineQuery, entries: Entries): void {
  const { space, shape, sink } = query;
  const { memory, kernel, out, outEnd, result } = space;
  const { keys, values, base, stride } = shape;
  for (let done = 0; done < entries.count; ) {
    const at = entries.at + done * ENTRY_BYTES;
    const left = entries.count - done;
    const put = kernel.putText(at, left, keys, values, base, stride, out, outEnd, result);
    const end = space.reached;
    const { isOther } = space;
    if (keys === KEYS.plain || isUtf8(memory.bytes.subarray(out, end))) {
      sink.writeLines(memory.bytes, out, end, put);
    } else {
      // A key is a text that is not valid UTF-8: kernels leave it to the general path.
      for (let i = 0; i < put; i++) sink.write(recordAt(query, at + i * ENTRY_BYTES));
    }
    done += put;
    if (done < entries.count && (isOther || put === 0)) {
      sink.write(recordAt(query, entries.at + done++ * ENTRY_BYTES));
    }
  }
}

/** A head of two varints, an accumulator, and the free bytes that a kernel needs. */
const BESIDE_KEY_BYTES = 128;

const reader: ByteReader = { bytes: new Uint8Array(0), at: 0, end: 0 };

function recordAt({ space, shape, recordOf }: LineQuery, entry: number): unknown {
  const start = keyOf(space, entry);
  const end = start + keyBytesOf(space, entry);
  const { bytes } = space.memory;
  if (shape.keys === KEYS.plain) return recordOf(readText(bytes, start, end), undefined);
  const key = readKey({ bytes, at: start, end });
  return recordOf(key, shape.values === VALUES.none ? undefined : valueAt(space, entry, shape));
}

/** The value as a record of a run file has it. */
function valueAt(space: Workspace, entry: number, shape: PairShape): unknown {
  const { memory, kernel, result } = space;
  const { keys, values, base, stride } = shape;
  const mark = memory.used;
  const room = keyBytesOf(space, entry) + BESIDE_KEY_BYTES;
  const at = space.take(room);
  const put = kernel.putRecords(entry, 1, keys, values, base, stride, at, at + room, result);
  assert(put === 1, "a record fits");
  reader.bytes = memory.bytes;
  reader.at = at;
  const keyBytes = readVarint(reader);
  readVarint(reader);
  reader.at += keyBytes;
  reader.end = space.reached;
  const value = readValue(reader);
  memory.release(mark);
  return value;
}
