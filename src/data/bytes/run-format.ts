import { deflateRawSync, inflateRawSync } from "node:zlib";
import { crc32, crc32Behind } from "./crc32.ts";

/**
 * A run file: for each partition in order its blocks, then the index, then the footer. Numbers are
 * little-endian; docs/internals/formats.md has it in full.
 *
 *     block   u32 bytes of records, u32 records, u32 CRC-32 of these and the records; the records
 *     or      u32 2^31 + bytes of what follows, u32 records, u32 CRC-32 of these and what follows;
 *             u32 bytes of the records; the records, deflated
 *     record  varint bytes of key, varint bytes of value; the key, the value
 *     index   for each partition: u64 start, u64 bytes, u64 records, u64 bytes of its largest block
 *     footer  u32 partitions, u16 version, u16 order (0 by key, 1 any), u32 CRC-32 of the index and
 *             those three; "BWRN"
 */
export const BLOCK_HEADER_BYTES = 12;
export const FOOTER_BYTES = 16;
export const INDEX_ENTRY_BYTES = 32;
const VERSION = 3;
const MAGIC = "BWRN";

/** The order of a partition's records: by the bytes of their keys, or any. */
export type Order = "by-key" | "any";
const ORDERS: readonly Order[] = ["by-key", "any"];

/** A run file is cut short, or a checksum in it does not match. */
export class RunFileError extends Error {
  override readonly name = "RunFileError";

  constructor(path: string, reason: string) {
    super(`${path}: ${reason}`);
  }
}

/** One partition's part of a run file: blocks of records, sorted by key bytes. */
export interface RunSegment {
  /** In bytes from the file's start. */
  readonly start: number;
  readonly bytes: number;
  readonly records: number;
  /** Bytes of its largest block, header included, not deflated: the room that reading needs. */
  readonly blockBytesMax: number;
}

/** Fills in the header of a block; the records follow the room for the header. */
export function sealBlock(block: Buffer, records: number): void {
  writeHeader(block, block.length - BLOCK_HEADER_BYTES, records);
}

/** The same records in fewer bytes; undefined if deflating would save little. */
export function deflatedBlock(block: Buffer, records: number): Buffer | undefined {
  const raw = block.subarray(BLOCK_HEADER_BYTES);
  const deflated = deflateRawSync(raw, { level: 1 });
  if (deflated.length + DEFLATED_HEAD_BYTES > DEFLATED_SHARE_MAX * raw.length) return undefined;
  const head = Buffer.alloc(BLOCK_HEADER_BYTES + DEFLATED_HEAD_BYTES);
  head.writeUInt32LE(raw.length, BLOCK_HEADER_BYTES);
  const whole = Buffer.concat([head, deflated]);
  writeHeader(whole, DEFLATED + DEFLATED_HEAD_BYTES + deflated.length, records);
  return whole;
}

/** A whole block, checked, with its records inflated. */
export function plainBlock(block: Buffer, path: string): Buffer {
  if (block.readUInt32LE(0) < DEFLATED) return block;
  const size = block.readUInt32LE(BLOCK_HEADER_BYTES);
  const deflated = block.subarray(BLOCK_HEADER_BYTES + DEFLATED_HEAD_BYTES);
  const raw = inflateRawSync(deflated, { maxOutputLength: size });
  if (raw.length !== size)
    throw new RunFileError(path, "a block's content does not match its header");
  const plain = Buffer.concat([block.subarray(0, BLOCK_HEADER_BYTES), raw]);
  plain.writeUInt32LE(size, 0);
  return plain;
}

/** The stored bytes of a block whose header is at `from`. */
export const storedBytes = (bytes: Buffer, from: number): number =>
  BLOCK_HEADER_BYTES + (bytes.readUInt32LE(from) % DEFLATED);

const DEFLATED = 2 ** 31;
const DEFLATED_HEAD_BYTES = 4;
const DEFLATED_SHARE_MAX = 0.9;

function writeHeader(block: Buffer, bytes: number, records: number): void {
  block.writeUInt32LE(bytes, 0);
  block.writeUInt32LE(records, 4);
  block.writeUInt32LE(blockChecksum(block), 8);
}

/** The checksum in the header of a block. */
export function blockChecksum(block: Buffer): number {
  return crc32(block.subarray(BLOCK_HEADER_BYTES), crc32(block.subarray(0, 8)));
}

/**
 * The checksum of a file that continues with the block; the block's own checksum spares a pass over
 * its records.
 */
export function checksumWithBlock(before: number, block: Buffer): number {
  const header = crc32(block.subarray(0, BLOCK_HEADER_BYTES), before);
  const checked = crc32(block.subarray(0, 8));
  const records = block.length - BLOCK_HEADER_BYTES;
  return (crc32Behind(header ^ checked, records) ^ block.readUInt32LE(8)) >>> 0;
}

/** The bytes of index and footer. */
export function encodeIndex(segments: readonly RunSegment[], order: Order): Buffer {
  const bytes = Buffer.alloc(segments.length * INDEX_ENTRY_BYTES + FOOTER_BYTES);
  segments.forEach((segment, i) => {
    const at = i * INDEX_ENTRY_BYTES;
    bytes.writeBigUInt64LE(BigInt(segment.start), at);
    bytes.writeBigUInt64LE(BigInt(segment.bytes), at + 8);
    bytes.writeBigUInt64LE(BigInt(segment.records), at + 16);
    bytes.writeBigUInt64LE(BigInt(segment.blockBytesMax), at + 24);
  });
  const footer = segments.length * INDEX_ENTRY_BYTES;
  bytes.writeUInt32LE(segments.length, footer);
  bytes.writeUInt16LE(VERSION, footer + 4);
  bytes.writeUInt16LE(ORDERS.indexOf(order), footer + 6);
  bytes.writeUInt32LE(crc32(bytes.subarray(0, footer + 8)), footer + 8);
  bytes.write(MAGIC, footer + 12, "latin1");
  return bytes;
}

export interface Footer {
  /** The number of partitions in the index. */
  readonly partitions: number;
  readonly order: Order;
}

/** Throws a RunFileError if the bytes are no footer. */
export function decodeFooter(footer: Buffer, path: string): Footer {
  if (footer.toString("latin1", 12) !== MAGIC) {
    throw new RunFileError(path, "is not a whole run file: expected its footer at the end");
  }
  const version = footer.readUInt16LE(4);
  const order = ORDERS[footer.readUInt16LE(6)];
  if (version !== VERSION || order === undefined) {
    throw new RunFileError(path, `expected version ${VERSION}, found ${version}`);
  }
  return { partitions: footer.readUInt32LE(0), order };
}

/** `bytes`: index and footer. */
export function decodeIndex(bytes: Buffer, path: string): readonly RunSegment[] {
  const footer = bytes.length - FOOTER_BYTES;
  if (crc32(bytes.subarray(0, footer + 8)) !== bytes.readUInt32LE(footer + 8)) {
    throw new RunFileError(path, "the checksum of the index does not match");
  }
  return Array.from({ length: footer / INDEX_ENTRY_BYTES }, (_, i) => {
    const at = i * INDEX_ENTRY_BYTES;
    const entry = (offset: number): number => Number(bytes.readBigUInt64LE(at + offset));
    return { start: entry(0), bytes: entry(8), records: entry(16), blockBytesMax: entry(24) };
  });
}
