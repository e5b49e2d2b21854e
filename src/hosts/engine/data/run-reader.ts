import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { defined } from "../../../base/assert.ts";
import type { ByteReader } from "../../../job/byte-writer.ts";
import type { Cursor } from "./cursor.ts";
import {
  BLOCK_HEADER_BYTES,
  blockChecksum,
  decodeFooter,
  decodeIndex,
  FOOTER_BYTES,
  INDEX_ENTRY_BYTES,
  RunFileError,
  type Segment,
} from "./run-format.ts";
import { readVarint } from "./value-bytes.ts";

/** A run file that is open for reading; every checksum is looked at on every read. */
export class RunReader {
  readonly path: string;
  readonly segments: readonly Segment[];
  readonly #handle: number;

  /** RunFileError if the file is not whole; an error of the file system if it is not there. */
  constructor(path: string) {
    this.path = path;
    this.#handle = openSync(path, "r");
    try {
      this.segments = this.#readIndex();
    } catch (error) {
      this.close();
      throw error;
    }
  }

  segment(partition: number): Segment {
    return defined(this.segments[partition], `partition ${partition} of ${this.path}`);
  }

  /** The records of a partition. */
  cursor(partition: number): Cursor {
    return new SegmentCursor(this.blocks(partition));
  }

  /** The blocks of a partition, header and all; each is gone when the next is asked for. */
  *blocks(partition: number): Generator<Buffer, void, undefined> {
    const { start, bytes } = this.segment(partition);
    let buffer = Buffer.allocUnsafe(BLOCK_BUFFER_BYTES);
    for (let at = start; at < start + bytes; ) {
      const header = this.#read(buffer, at, BLOCK_HEADER_BYTES);
      const size = BLOCK_HEADER_BYTES + header.readUInt32LE(0);
      if (size > start + bytes - at)
        throw new RunFileError(this.path, `block at ${at} is too long`);
      if (size > buffer.length) buffer = Buffer.allocUnsafe(size);
      const block = this.#read(buffer, at, size);
      if (blockChecksum(block) !== block.readUInt32LE(8)) {
        throw new RunFileError(this.path, `the checksum of the block at ${at} does not hold`);
      }
      yield block;
      at += size;
    }
  }

  close(): void {
    closeSync(this.#handle);
  }

  #readIndex(): readonly Segment[] {
    const { size } = fstatSync(this.#handle);
    if (size < FOOTER_BYTES) throw new RunFileError(this.path, "is no whole run file");
    const footer = this.#read(Buffer.alloc(FOOTER_BYTES), size - FOOTER_BYTES, FOOTER_BYTES);
    const bytes = decodeFooter(footer, this.path) * INDEX_ENTRY_BYTES + FOOTER_BYTES;
    if (bytes > size) throw new RunFileError(this.path, "its index is longer than it is");
    const segments = decodeIndex(this.#read(Buffer.alloc(bytes), size - bytes, bytes), this.path);
    const end = segments.reduce((sum, segment) => sum + segment.bytes, 0);
    if (end !== size - bytes) throw new RunFileError(this.path, "its index does not cover it");
    return segments;
  }

  #read(into: Buffer, position: number, size: number): Buffer {
    for (let at = 0; at < size; ) {
      const read = readSync(this.#handle, into, at, size - at, position + at);
      if (read === 0) throw new RunFileError(this.path, `ends before byte ${position + size}`);
      at += read;
    }
    return into.subarray(0, size);
  }
}

const BLOCK_BUFFER_BYTES = 80 * 1024;

class SegmentCursor implements Cursor {
  bytes: Uint8Array = new Uint8Array(0);
  keyStart = 0;
  keyEnd = 0;
  end = 0;
  readonly #blocks: Iterator<Buffer, void, undefined>;
  readonly #at: ByteReader = { bytes: this.bytes, at: 0, end: 0 };

  constructor(blocks: Iterator<Buffer, void, undefined>) {
    this.#blocks = blocks;
  }

  advance(): boolean {
    if (this.end === this.bytes.length && !this.#nextBlock()) return false;
    const at = this.#at;
    at.at = this.end;
    const keyBytes = readVarint(at);
    const valueBytes = readVarint(at);
    this.keyStart = at.at;
    this.keyEnd = at.at + keyBytes;
    this.end = this.keyEnd + valueBytes;
    return true;
  }

  #nextBlock(): boolean {
    const { value, done } = this.#blocks.next();
    if (done) return false;
    // Plain bytes, as those of every other cursor: the loops that compare them meet one type.
    this.bytes = new Uint8Array(value.buffer, value.byteOffset, value.length);
    this.#at.bytes = this.bytes;
    this.end = BLOCK_HEADER_BYTES;
    return true;
  }
}
