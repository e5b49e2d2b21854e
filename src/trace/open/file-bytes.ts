import { closeSync, openSync, readSync, statSync } from "node:fs";
import { basename } from "node:path";
import { InputError } from "../../base/input-error.ts";
import { CompressedBlocks } from "../../data/formats/block-source.ts";
import { Malformed } from "../../data/formats/malformed.ts";
import { type BlockFraming, FramedBlocks } from "./framed-blocks.ts";

const CHUNK = 1 << 20;

/** Progress in stored bytes. */
export type OnStored = (storedBytes: number) => void;

/** The decompressed bytes of a file. */
export async function* fileBytes(
  path: string,
  onStored: OnStored,
): AsyncGenerator<Uint8Array, void, undefined> {
  const compression = compressionOf(headOf(path, HEAD_BYTES), path);
  if (compression === "gzip" || compression === "zstd") {
    yield* decompressed(path, compression, onStored);
    return;
  }
  const blocks = compression === "none" ? undefined : new FramedBlocks(compression, path);
  for (const chunk of plainBytes(path, onStored)) {
    if (blocks === undefined) yield chunk;
    else yield* blocks.push(chunk);
  }
  blocks?.end();
}

function* plainBytes(path: string, onStored: OnStored): Generator<Uint8Array, void> {
  const file = openSync(path, "r");
  try {
    const buffer = new Uint8Array(CHUNK);
    for (let size = readSync(file, buffer); size > 0; size = readSync(file, buffer)) {
      onStored(size);
      yield buffer.subarray(0, size);
    }
  } finally {
    closeSync(file);
  }
}

async function* decompressed(
  path: string,
  by: "gzip" | "zstd",
  onStored: OnStored,
): AsyncGenerator<Uint8Array, void, undefined> {
  const blocks = new CompressedBlocks({ path, bytes: statSync(path).size, by });
  const buffer = new Uint8Array(CHUNK);
  try {
    let stored = 0;
    for (;;) {
      const size = await blocks.read(buffer, 0);
      onStored(blocks.storedBytes - stored);
      stored = blocks.storedBytes;
      if (size === 0) return;
      yield buffer.subarray(0, size);
    }
  } catch (error) {
    if (!(error instanceof Malformed)) throw error;
    throw new InputError("bad-input", error.place ?? path, error.message);
  } finally {
    blocks.close();
  }
}

/** As many of the first bytes tell how a file is compressed. */
export const HEAD_BYTES = 8;

/** At most this number of the file's first bytes. */
export function headOf(path: string, bytes: number): Uint8Array {
  const head = Buffer.alloc(bytes);
  const file = openSync(path, "r");
  try {
    return head.subarray(0, readSync(file, head));
  } finally {
    closeSync(file);
  }
}

/** By the first bytes; names are untrusted. */
export function compressionOf(
  first: Uint8Array,
  path: string,
): "none" | "gzip" | "zstd" | BlockFraming {
  const head = Buffer.alloc(HEAD_BYTES);
  head.set(first.subarray(0, HEAD_BYTES));
  if (head.readUInt16BE() === 0x1f8b) return "gzip";
  if (head.readUInt32LE() === 0xfd2fb528) return "zstd";
  if (head.toString("latin1") === "LZ4Block") return "lz4";
  if (head.toString("latin1").startsWith("\x82SNAPPY")) return "snappy";
  if (head.toString("latin1").startsWith("ZV") || basename(path).endsWith(".lzf")) {
    throw new InputError("bad-input", path, "expected gzip, zstd, lz4 or snappy; LZF is not read");
  }
  return "none";
}
