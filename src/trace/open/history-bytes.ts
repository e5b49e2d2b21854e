import { closeSync, openSync, readdirSync, readSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { InputError } from "../../base/input-error.ts";
import { CompressedBlocks } from "../../data/formats/block-source.ts";
import { type BlockFraming, FramedBlocks } from "./framed-blocks.ts";

const CHUNK = 1 << 20;

/** The files of one history, in the order in which they are read. */
export function filesOfHistory(path: string): readonly string[] {
  if (path === "-") return [path];
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) throw new InputError("missing-file", path, "no such file");
  if (!stat.isDirectory()) return [path];
  const numbered = readdirSync(path).flatMap((name) => {
    const [, number] = /^events_(\d+)_/.exec(name) ?? [];
    return number === undefined ? [] : [{ name, number: Number(number) }];
  });
  return numbered.sort((a, b) => a.number - b.number).map(({ name }) => join(path, name));
}

/** Progress in stored bytes. */
export type OnStored = (storedBytes: number) => void;

/** The decompressed bytes of a file, or of standard input for `-`. */
export async function* historyBytes(
  path: string,
  onStored: OnStored = () => {},
): AsyncGenerator<Uint8Array, void, undefined> {
  if (path === "-") {
    for await (const chunk of process.stdin) {
      if (!(chunk instanceof Uint8Array)) continue;
      onStored(chunk.length);
      yield chunk;
    }
    return;
  }
  const compression = compressionOf(path);
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
  } finally {
    blocks.close();
  }
}

/** By the first bytes; names are untrusted. */
function compressionOf(path: string): "none" | "gzip" | "zstd" | BlockFraming {
  const head = Buffer.alloc(8);
  const file = openSync(path, "r");
  try {
    readSync(file, head);
  } finally {
    closeSync(file);
  }
  if (head.readUInt16BE() === 0x1f8b) return "gzip";
  if (head.readUInt32LE() === 0xfd2fb528) return "zstd";
  if (head.toString("latin1") === "LZ4Block") return "lz4";
  if (head.toString("latin1").startsWith("\x82SNAPPY")) return "snappy";
  if (head.toString("latin1").startsWith("ZV") || basename(path).endsWith(".lzf")) {
    throw new InputError("bad-input", path, "expected gzip, zstd, lz4 or snappy; LZF is not read");
  }
  return "none";
}
