import { closeSync, openSync, readSync, statSync } from "node:fs";
import { basename } from "node:path";
import { InputError } from "../../base/input-error.ts";
import { CompressedBlocks } from "../../data/formats/block-source.ts";
import { asked } from "../../data/formats/input-file.ts";
import { Malformed } from "../../data/formats/malformed.ts";
import { Expansion } from "./expansion.ts";
import { type BlockFraming, FramedBlocks } from "./framed-blocks.ts";

const CHUNK = 1 << 20;

export interface ReadEvents {
  /** Progress in stored bytes. */
  readonly onStored?: ((storedBytes: number) => void) | undefined;
  /** The file ends in the middle of a compressed block; what came before is right. */
  readonly onCut?: ((place: string, found: string) => void) | undefined;
}

type Chunks = AsyncGenerator<Uint8Array, void, undefined>;

/**
 * The decompressed bytes of a file. InputError if it cannot be read, is damaged, or is a bomb: a
 * small file of endless content.
 */
export async function* fileBytes(path: string, { onStored, onCut }: ReadEvents): Chunks {
  const expansion = new Expansion(path);
  const events: ReadEvents = {
    onCut,
    onStored: (bytes) => {
      expansion.addStored(bytes);
      onStored?.(bytes);
    },
  };
  for await (const chunk of contentOf(path, events)) {
    expansion.addContent(chunk.length);
    yield chunk;
  }
}

async function* contentOf(path: string, events: ReadEvents): Chunks {
  const compression = compressionOf(headOf(path, HEAD_BYTES), path);
  if (compression === "none") yield* plainBytes(path, events);
  else if (compression === "lz4" || compression === "snappy") {
    yield* unframed(plainBytes(path, events), { framing: compression, place: path }, events);
  } else yield* decompressed(path, compression, events);
}

/** The contents of frames that Spark writes. */
export async function* unframed(
  stored: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  { framing, place }: { readonly framing: BlockFraming; readonly place: string },
  { onCut }: ReadEvents,
): Chunks {
  const blocks = new FramedBlocks(framing, place);
  for await (const chunk of stored) yield* blocks.push(chunk);
  if (blocks.isCut) onCut?.(place, "found its end within a block");
}

function* plainBytes(path: string, { onStored }: ReadEvents): Generator<Uint8Array, void> {
  const file = asked(path, () => openSync(path, "r"));
  try {
    const buffer = new Uint8Array(CHUNK);
    const read = (): number => asked(path, () => readSync(file, buffer));
    for (let size = read(); size > 0; size = read()) {
      onStored?.(size);
      yield buffer.subarray(0, size);
    }
  } finally {
    closeSync(file);
  }
}

async function* decompressed(
  path: string,
  by: "gzip" | "zstd",
  { onStored, onCut }: ReadEvents,
): Chunks {
  const blocks = new CompressedBlocks({ path, bytes: statSync(path).size, by });
  const buffer = new Uint8Array(CHUNK);
  try {
    let stored = 0;
    for (;;) {
      const size = await blocks.read(buffer, 0);
      onStored?.(blocks.storedBytes - stored);
      stored = blocks.storedBytes;
      if (size === 0) return;
      yield buffer.subarray(0, size);
    }
  } catch (error) {
    if (!(error instanceof Malformed)) throw error;
    if (!error.isCut) throw new InputError("bad-input", error.place ?? path, error.message);
    onCut?.(error.place ?? path, error.message);
  } finally {
    blocks.close();
  }
}

/** As many of the first bytes tell how a file is compressed. */
export const HEAD_BYTES = 8;

/** At most this number of the file's first bytes. */
export function headOf(path: string, bytes: number): Uint8Array {
  const head = Buffer.alloc(bytes);
  const file = asked(path, () => openSync(path, "r"));
  try {
    return head.subarray(
      0,
      asked(path, () => readSync(file, head)),
    );
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
