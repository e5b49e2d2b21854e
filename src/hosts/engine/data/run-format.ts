import { crc32 } from "node:zlib";

/**
 * A run file: for each partition in order its blocks, then the index, then the footer. Numbers are
 * little-endian; docs/formats.md has it in full.
 *
 *     block   u32 bytes of records, u32 records, u32 CRC-32 of these and the records; the records
 *     record  varint bytes of key, varint bytes of value; the key, the value
 *     index   for each partition: u64 start, u64 bytes, u64 records
 *     footer  u32 partitions, u32 version, u32 CRC-32 of the index and those two; "BWRN"
 */
export const BLOCK_HEADER_BYTES = 12;
export const FOOTER_BYTES = 16;
export const INDEX_ENTRY_BYTES = 24;
const VERSION = 1;
const MAGIC = "BWRN";

/** A run file is cut short, or a checksum in it does not hold. */
export class RunFileError extends Error {
  override readonly name = "RunFileError";

  constructor(path: string, reason: string) {
    super(`${path}: ${reason}`);
  }
}

/** One partition's part of a run file: blocks of records, sorted by key bytes. */
export interface Segment {
  /** From the file's start. */
  readonly start: number;
  readonly bytes: number;
  readonly records: number;
}

/** Fills in the header of a block, whose records stand behind the room for it. */
export function sealBlock(block: Buffer, records: number): void {
  block.writeUInt32LE(block.length - BLOCK_HEADER_BYTES, 0);
  block.writeUInt32LE(records, 4);
  block.writeUInt32LE(blockChecksum(block), 8);
}

/** Of a block with its header. */
export function blockChecksum(block: Buffer): number {
  return crc32(block.subarray(BLOCK_HEADER_BYTES), crc32(block.subarray(0, 8)));
}

/** Index and footer. */
export function encodeIndex(segments: readonly Segment[]): Buffer {
  const bytes = Buffer.alloc(segments.length * INDEX_ENTRY_BYTES + FOOTER_BYTES);
  segments.forEach((segment, i) => {
    const at = i * INDEX_ENTRY_BYTES;
    bytes.writeBigUInt64LE(BigInt(segment.start), at);
    bytes.writeBigUInt64LE(BigInt(segment.bytes), at + 8);
    bytes.writeBigUInt64LE(BigInt(segment.records), at + 16);
  });
  const footer = segments.length * INDEX_ENTRY_BYTES;
  bytes.writeUInt32LE(segments.length, footer);
  bytes.writeUInt32LE(VERSION, footer + 4);
  bytes.writeUInt32LE(crc32(bytes.subarray(0, footer + 8)), footer + 8);
  bytes.write(MAGIC, footer + 12, "latin1");
  return bytes;
}

/** How many partitions the index before this footer has; throws RunFileError if it is no footer. */
export function decodeFooter(footer: Buffer, path: string): number {
  if (footer.toString("latin1", 12) !== MAGIC) {
    throw new RunFileError(path, "is no whole run file: expected its footer at the end");
  }
  const version = footer.readUInt32LE(4);
  if (version !== VERSION) throw new RunFileError(path, `expected version 1, found ${version}`);
  return footer.readUInt32LE(0);
}

/** `bytes`: index and footer. */
export function decodeIndex(bytes: Buffer, path: string): readonly Segment[] {
  const footer = bytes.length - FOOTER_BYTES;
  if (crc32(bytes.subarray(0, footer + 8)) !== bytes.readUInt32LE(footer + 8)) {
    throw new RunFileError(path, "the checksum of the index does not hold");
  }
  return Array.from({ length: footer / INDEX_ENTRY_BYTES }, (_, i) => {
    const at = i * INDEX_ENTRY_BYTES;
    const entry = (offset: number): number => Number(bytes.readBigUInt64LE(at + offset));
    return { start: entry(0), bytes: entry(8), records: entry(16) };
  });
}
