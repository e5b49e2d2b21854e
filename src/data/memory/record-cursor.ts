import type { ByteReader } from "../../job/byte-writer.ts";
import type { Cursor } from "../bytes/cursor.ts";
import { readVarint } from "../bytes/value-bytes.ts";
import { ENTRY_BYTES } from "../kernel/kernel.ts";
import { type Entries, payloadOf } from "./entries.ts";
import type { Workspace } from "./workspace.ts";

const reader: ByteReader = { bytes: new Uint8Array(0), at: 0, end: 0 };

/** The bytes of the record at `at`: its sizes, its key, its value. */
export function recordBytes(bytes: Uint8Array, at: number): number {
  reader.bytes = bytes;
  reader.at = at;
  const keyBytes = readVarint(reader);
  return readVarint(reader) + keyBytes + reader.at - at;
}

/** The records of entries whose payloads are the records' places, in the order of the entries. */
export class RecordCursor implements Cursor {
  bytes: Uint8Array = new Uint8Array(0);
  keyStart = 0;
  keyEnd = 0;
  end = 0;
  readonly #space: Workspace;
  #entries: Entries;
  #next = 0;

  constructor(space: Workspace, entries: Entries) {
    this.#space = space;
    this.#entries = entries;
  }

  /** Continues with further entries. */
  restart(entries: Entries): void {
    this.#entries = entries;
    this.#next = 0;
  }

  advance(): boolean {
    const { at, count } = this.#entries;
    if (this.#next === count) return false;
    const { bytes } = this.#space.memory;
    reader.bytes = bytes;
    reader.at = payloadOf(this.#space, at + this.#next++ * ENTRY_BYTES);
    const keyBytes = readVarint(reader);
    const valueBytes = readVarint(reader);
    this.bytes = bytes;
    this.keyStart = reader.at;
    this.keyEnd = reader.at + keyBytes;
    this.end = this.keyEnd + valueBytes;
    return true;
  }
}
