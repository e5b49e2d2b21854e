import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { defined } from "../../base/assert.ts";
import type { ByteReader } from "../../job/byte-writer.ts";
import type { Cursor } from "./cursor.ts";
import {
  BLOCK_HEADER_BYTES,
  blockChecksum,
  decodeFooter,
  decodeIndex,
  FOOTER_BYTES,
  INDEX_ENTRY_BYTES,
  type Order,
  plainBlock,
  RunFileError,
  type RunSegment,
  storedBytes,
} from "./run-format.ts";
import { readVarint } from "./value-bytes.ts";

/** A run file open for reading; every read checks every checksum. */
export class RunReader {
  readonly path: string;
  readonly segments: readonly RunSegment[];
  readonly order: Order;
  readonly #handle: number;

  /** Throws a RunFileError if the file is not whole, and a file-system error if it is missing. */
  constructor(path: string) {
    this.path = path;
    this.#handle = openSync(path, "r");
    try {
      const { segments, order } = this.#readIndex();
      this.segments = segments;
      this.order = order;
    } catch (error) {
      this.close();
      throw error;
    }
  }

  segment(partition: number): RunSegment {
    return defined(this.segments[partition], `partition ${partition} of ${this.path}`);
  }

  /** The records of a partition. */
  cursor(partition: number): Cursor {
    return new SegmentCursor(this.blocks(partition));
  }

  /**
   * The blocks of a partition, checked, with headers, inflated. Each is valid only until the next
   * is asked for. `through`: a buffer to read through, used if it is large enough for one block;
   * each read fills as much of it as possible.
   */
  *blocks(partition: number, through?: Buffer): Generator<Buffer, void, undefined> {
    const { start, bytes, blockBytesMax } = this.segment(partition);
    const end = start + bytes;
    const isEnough = through !== undefined && through.length >= blockBytesMax;
    const buffer = isEnough ? through : Buffer.allocUnsafe(Math.min(bytes, blockBytesMax));
    let filled = 0;
    for (let at = start, from = 0; at < end; ) {
      if (!holdsBlock(buffer, from, filled)) {
        buffer.copyWithin(0, from, filled);
        filled -= from;
        from = 0;
        const wanted = Math.min(buffer.length, end - at) - filled;
        this.#fill(buffer, { from: filled, size: wanted, position: at + filled });
        filled += wanted;
        if (!holdsBlock(buffer, from, filled)) {
          throw this.#tooLong(at);
        }
      }
      const block = buffer.subarray(from, from + storedBytes(buffer, from));
      yield this.#checked(block, at);
      at += block.length;
      from += block.length;
    }
  }

  /**
   * The same blocks, each read into the place that `room` then returns, which must be large enough
   * for any of them; blocks that were deflated are placed elsewhere.
   */
  *blocksInto(partition: number, room: () => Buffer): Generator<Buffer, void, undefined> {
    const { start, bytes } = this.segment(partition);
    const end = start + bytes;
    for (let at = start; at < end; ) {
      const buffer = room();
      const size = Math.min(buffer.length, end - at);
      this.#fill(buffer, { from: 0, size, position: at });
      if (!holdsBlock(buffer, 0, size)) throw this.#tooLong(at);
      const stored = storedBytes(buffer, 0);
      yield this.#checked(buffer.subarray(0, stored), at);
      // The place may have been overwritten by now.
      at += stored;
    }
  }

  close(): void {
    closeSync(this.#handle);
  }

  #checked(block: Buffer, at: number): Buffer {
    if (blockChecksum(block) !== block.readUInt32LE(8)) {
      throw new RunFileError(this.path, `the checksum of the block at ${at} does not match`);
    }
    return plainBlock(block, this.path);
  }

  #tooLong(at: number): RunFileError {
    return new RunFileError(this.path, `block at ${at} is too long`);
  }

  #readIndex(): Pick<RunReader, "segments" | "order"> {
    const { size } = fstatSync(this.#handle);
    if (size < FOOTER_BYTES) throw new RunFileError(this.path, "is not a whole run file");
    const footer = this.#read(Buffer.alloc(FOOTER_BYTES), size - FOOTER_BYTES, FOOTER_BYTES);
    const { partitions, order } = decodeFooter(footer, this.path);
    const bytes = partitions * INDEX_ENTRY_BYTES + FOOTER_BYTES;
    if (bytes > size) throw new RunFileError(this.path, "its index is longer than the file");
    const segments = decodeIndex(this.#read(Buffer.alloc(bytes), size - bytes, bytes), this.path);
    const end = segments.reduce((sum, segment) => sum + segment.bytes, 0);
    if (end !== size - bytes)
      throw new RunFileError(this.path, "its index does not cover the file");
    return { segments, order };
  }

  #read(into: Buffer, position: number, size: number): Buffer {
    this.#fill(into, { from: 0, size, position });
    return into.subarray(0, size);
  }

  #fill(
    into: Buffer,
    { from, size, position }: Record<"from" | "size" | "position", number>,
  ): void {
    for (let done = 0; done < size; ) {
      const read = readSync(this.#handle, into, from + done, size - done, position + done);
      if (read === 0) throw new RunFileError(this.path, `ends before byte ${position + size}`);
      done += read;
    }
  }
}

/** Whether a whole block starts at `from`; the bytes after `filled` are undefined. */
const holdsBlock = (buffer: Buffer, from: number, filled: number): boolean =>
  filled - from >= BLOCK_HEADER_BYTES && filled - from >= storedBytes(buffer, from);

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
    // A plain Uint8Array, as in every other cursor: the loops that compare bytes then see one type.
    this.bytes = new Uint8Array(value.buffer, value.byteOffset, value.length);
    this.#at.bytes = this.bytes;
    this.end = BLOCK_HEADER_BYTES;
    return true;
  }
}
