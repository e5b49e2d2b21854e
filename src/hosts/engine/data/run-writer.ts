import { closeSync, openSync, writeSync } from "node:fs";
import { crc32 } from "node:zlib";
import { assert } from "../../../base/assert.ts";
import { ByteWriter } from "../../../job/byte-writer.ts";
import { checksumName } from "./checksum.ts";
import type { Cursor } from "./cursor.ts";
import { BLOCK_HEADER_BYTES, encodeIndex, type Segment, sealBlock } from "./run-format.ts";
import { writeVarint } from "./value-bytes.ts";

/** A block is written once it holds so much; a record never straddles two. */
const BLOCK_BYTES = 64 * 1024;

export interface WrittenRun {
  readonly segments: readonly Segment[];
  readonly bytes: number;
  /** Of the whole file. */
  readonly checksum: string;
}

/** Writes a whole run file: `fill` writes its partitions. */
export function writeRun(path: string, fill: (writer: RunWriter) => void): WrittenRun {
  const writer = new RunWriter(path);
  try {
    fill(writer);
    return writer.finish();
  } finally {
    writer.close();
  }
}

/** Writes a run file, one partition after the other. */
export class RunWriter {
  readonly #handle: number;
  readonly #segments: Segment[] = [];
  readonly #block = new ByteWriter(BLOCK_BYTES + 1024);
  #blockRecords = 0;
  #segmentStart = 0;
  #segmentRecords = 0;
  #bytes = 0;
  #checksum = 0;

  constructor(path: string) {
    this.#handle = openSync(path, "w");
    this.#block.length = BLOCK_HEADER_BYTES;
  }

  /** Adds the cursor's record to the partition at hand. */
  write(record: Cursor): void {
    const { bytes, keyStart, keyEnd, end } = record;
    this.#begin(keyEnd - keyStart, end - keyEnd);
    this.#block.appendRange(bytes, keyStart, end);
    this.#end();
  }

  /** Adds a record whose value is in other bytes than its key. */
  writeApart({ key, value }: { key: ByteWriter; value: ByteWriter }): void {
    this.#begin(key.length, value.length);
    this.#block.appendRange(key.bytes, 0, key.length);
    this.#block.appendRange(value.bytes, 0, value.length);
    this.#end();
  }

  /** Adds a whole block of sorted records, checked, header and all. */
  copyBlock(block: Buffer, records: number): void {
    assert(this.#blockRecords === 0, "blocks are copied or written, not both");
    this.#flush(block, records);
  }

  /** The partition at hand is complete; the next one begins. */
  endPartition(): void {
    if (this.#blockRecords > 0) this.#flushBlock();
    const start = this.#segmentStart;
    this.#segments.push({ start, bytes: this.#bytes - start, records: this.#segmentRecords });
    this.#segmentStart = this.#bytes;
    this.#segmentRecords = 0;
  }

  /** Writes the index; without it the file is no run file. */
  finish(): WrittenRun {
    assert(this.#blockRecords === 0, "a partition has not been ended");
    this.#flush(encodeIndex(this.#segments), 0);
    const [segments, bytes] = [this.#segments, this.#bytes];
    return { segments, bytes, checksum: checksumName(this.#checksum) };
  }

  close(): void {
    closeSync(this.#handle);
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
    sealBlock(block, this.#blockRecords);
    this.#flush(block, this.#blockRecords);
    this.#block.length = BLOCK_HEADER_BYTES;
    this.#blockRecords = 0;
  }

  #flush(bytes: Buffer, records: number): void {
    for (let at = 0; at < bytes.length; ) at += writeSync(this.#handle, bytes, at);
    this.#bytes += bytes.length;
    this.#checksum = crc32(bytes, this.#checksum);
    this.#segmentRecords += records;
  }
}
