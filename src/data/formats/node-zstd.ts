import { Readable, Transform } from "node:stream";
import * as zlib from "node:zlib";
import type { InputFile } from "./input-file.ts";

const CHUNK_BYTES = 256 * 1024;

/**
 * Node's own decoder, in native code; undefined before Node 22.15. Give it one frame at a time:
 * Node 22 and 24 silently stop after the first.
 */
export function nodeDecoder(): Transform | undefined {
  const create: unknown = Reflect.get(zlib, "createZstdDecompress");
  const made: unknown = typeof create === "function" ? create() : undefined;
  return made instanceof Transform ? made : undefined;
}

/** The decoded contents of a frame. */
export async function* decodeFrame(
  decoder: Transform,
  file: InputFile,
  { start, end }: { readonly start: number; readonly end: number },
): AsyncGenerator<Uint8Array, void, undefined> {
  const stored = Readable.from(chunks(file, start, end), { objectMode: false });
  // A stream's error does not pass along a pipe.
  stored.on("error", (error) => decoder.destroy(error)).pipe(decoder);
  try {
    for await (const chunk of decoder) yield chunk;
  } finally {
    stored.destroy();
    decoder.destroy();
  }
}

function* chunks(file: InputFile, start: number, end: number): Generator<Uint8Array> {
  for (let at = start; at < end; at += CHUNK_BYTES) {
    yield file.slice(at, Math.min(at + CHUNK_BYTES, end));
  }
}
