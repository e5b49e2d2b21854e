import { closeSync, openSync } from "node:fs";
import { assert } from "../../base/assert.ts";
import { ByteWriter } from "../../job/byte-writer.ts";
import { checksumName } from "./checksum.ts";
import { crc32 } from "./crc32.ts";
import type { Cursor } from "./cursor.ts";
import {
  BLOCK_HEADER_BYTES,
  checksumWithBlock,
  deflatedBlock,
  encodeIndex,
  type Order,
  type RunSegment,
  sealBlock,
} from "./run-format.ts";
import { writeVarint } from "./value-bytes.ts";
import { type OpenFile, writeAll } from "./write-all.ts";

/** A block is written once it holds this many bytes; a record never straddles two blocks. */
const BLOCK_BYTES = 64 * 1024;

export interface WrittenRun {
  readonly segments: readonly RunSegment[];
  readonly bytes: number;
  /** The checksum of the whole file. */
  readonly checksum: string;
}

export interface RunWriterOptions {
  /** Whether to deflate blocks where that makes them smaller. */
  readonly compress?: boolean;
}

/** Buffers of finished writers, for the next writers of this thread. */
const idle: ByteWriter[] = [];
const IDLE_MAX = 2;

/** Writes a whole run file: `fill` writes its partitions. */
export function writeRun(
  path: string,
  fill: (writer: RunWriter) => void,
  options: RunWriterOptions = {},
): WrittenRun {
  const writer = new RunWriter(path, options);
  try {
    fill(writer);
    return writer.finish();
  } finally {
    writer.close();
  }
}

/** Writes a run file, one partition after another. */
export class RunWriter {
  readonly #file: OpenFile;
  readonly #compress: boolean;
  readonly #segments: RunSegment[] = [];
  readonly #block = idle.pop() ?? new ByteWriter(BLOCK_BYTES + 1024);
  #blockRecords = 0;
  #segmentStart = 0;
  #segmentRecords = 0;
  #blockBytesMax = 0;
  #bytes = 0;
  #checksum = 0;
  #order: Order = "by-key";

  constructor(path: string, { compress = false }: RunWriterOptions = {}) {
    this.#file = { path, handle: openSync(path, "w") };
    this.#compress = compress;
    this.#block.length = BLOCK_HEADER_BYTES;
  }

  /** Adds the cursor's record to the current partition. */
  write(record: Cursor): void {
    const { bytes, keyStart, keyEnd, end } = record;
    this.#begin(keyEnd - keyStart, end - keyEnd);
    this.#block.appendRange(bytes, keyStart, end);
    this.#end();
  }

  /** Adds a record whose key and value lie in different buffers. */
  writeApart({ key, value }: { key: ByteWriter; value: ByteWriter }): void {
    this.#begin(key.length, value.length);
    this.#block.appendRange(key.bytes, 0, key.length);
    this.#block.appendRange(value.bytes, 0, value.length);
    this.#end();
  }

  /** Adds a block of sorted records; the records follow the room for the block's header. */
  writeBlock(block: Buffer, records: number): void {
    assert(this.#blockRecords === 0, "records are written one by one or in blocks, not both");
    const deflated = this.#compress ? deflatedBlock(block, records) : undefined;
    if (deflated === undefined) sealBlock(block, records);
    const stored = deflated ?? block;
    this.#write(stored);
    this.#checksum = checksumWithBlock(this.#checksum, stored);
    this.#segmentRecords += records;
    this.#blockBytesMax = Math.max(this.#blockBytesMax, block.length);
  }

  /** Marks the records of the partitions as unordered. */
  leaveUnordered(): void {
    this.#order = "any";
  }

  /** Ends the current partition and begins the next. */
  endPartition(): void {
    if (this.#blockRecords > 0) this.#flushBlock();
    const start = this.#segmentStart;
    this.#segments.push({
      start,
      bytes: this.#bytes - start,
      records: this.#segmentRecords,
      blockBytesMax: this.#blockBytesMax,
    });
    this.#segmentStart = this.#bytes;
    this.#segmentRecords = 0;
    this.#blockBytesMax = 0;
  }

  /** Writes the index; without it the file is no run file. */
  finish(): WrittenRun {
    assert(this.#blockRecords === 0, "a partition has not been ended");
    const index = encodeIndex(this.#segments, this.#order);
    this.#write(index);
    this.#checksum = crc32(index, this.#checksum);
    const [segments, bytes] = [this.#segments, this.#bytes];
    return { segments, bytes, checksum: checksumName(this.#checksum) };
  }

  close(): void {
    closeSync(this.#file.handle);
    // A buffer that has held a large record is not kept.
    if (idle.length < IDLE_MAX && this.#block.bytes.length < 2 * BLOCK_BYTES)
      idle.push(this.#block);
  }

  #begin(keyBytes: number, valueBytes: number): void {
    writeVarint(this.#block, keyBytes);
    writeVarint(this.#block, valueBytes);
  }

  #end(): void {
    this.#blockRecords++;
    if (this.#block.length >= BLOCK_BYTES) this.#flushBlock();
  }

  #flushBlock(): void {
    const { buffer } = this.#block.bytes;
    const block = Buffer.from(buffer, 0, this.#block.length);
    const records = this.#blockRecords;
    this.#block.length = BLOCK_HEADER_BYTES;
    this.#blockRecords = 0;
    this.writeBlock(block, records);
  }

  #write(bytes: Buffer): void {
    writeAll(this.#file, bytes);
    this.#bytes += bytes.length;
  }
}
