import { Readable, Transform } from "node:stream";
import * as zlib from "node:zlib";
import { Decompress } from "fzstd";
import { InputError } from "../../base/input-error.ts";
import type { InputFile } from "./input-file.ts";
import { Malformed } from "./malformed.ts";
import { XXH64 } from "./xxh64.ts";
import {
  CHECKSUM_BYTES,
  cut,
  type FrameHead,
  malformed,
  readBlockHead,
  readHead,
} from "./zstd-frame.ts";

/** The largest window that zstd's command line accepts by default. */
const WINDOW_BYTES_MAX = 128 * 1024 * 1024;
/** A block holds at most 128 KB; a frame's head and its checksum may come with it. */
const STORED_BYTES = 128 * 1024 + 64;
/** fzstd decodes nothing before it has as many bytes of a frame. */
const KEPT_BYTES = 18;

/**
 * The decoded contents of the file's frames, one after another. Throws an InputError if a frame's
 * window is larger than `bytesMax`.
 */
export async function* unzstd(
  file: InputFile,
  bytesMax = Number.POSITIVE_INFINITY,
): AsyncGenerator<Uint8Array, void, undefined> {
  for (let at = 0; at < file.bytes; ) {
    const head = readHead(file, at);
    if ("skip" in head) {
      at += head.skip;
      continue;
    }
    refuseUnusual(file, at, head);
    refuseLarge(file, at, head, bytesMax);
    const decoder = nodeDecoder();
    // Node's decoder may lose the last blocks of a frame that is cut off.
    const end = decoder === undefined ? undefined : frameEnd(file, at, head);
    if (decoder === undefined || end === undefined) at = yield* blockByBlock(file, at, head);
    else {
      yield* byNode(decoder, file, { start: at, end });
      at = end;
    }
  }
}

/** The place where the frame ends; undefined if the file ends before that. */
function frameEnd(file: InputFile, start: number, head: FrameHead): number | undefined {
  let end = start + head.headBytes;
  try {
    for (let isLast = false; !isLast; ) {
      const block = readBlockHead(file, end);
      isLast = block.isLast;
      end += block.bytes;
    }
  } catch (error) {
    if (error instanceof Malformed && error.isCut) return undefined;
    throw error;
  }
  if (head.hasChecksum) end += CHECKSUM_BYTES;
  return end > file.bytes ? undefined : end;
}

interface FrameRange {
  readonly start: number;
  readonly end: number;
}

/** Decodes a whole frame with Node's decoder. */
async function* byNode(
  decoder: Transform,
  file: InputFile,
  frame: FrameRange,
): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    yield* decodeFrame(decoder, file, frame);
  } catch (error) {
    if (error instanceof InputError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw malformed(file, frame.start, `found a damaged frame: ${reason}`);
  }
}

/** Decodes without Node's decoder, and checks the checksum. */
function* blockByBlock(
  file: InputFile,
  start: number,
  head: FrameHead,
): Generator<Uint8Array, number, undefined> {
  const hash = new XXH64();
  const pieces: Uint8Array[] = [];
  const decoder = new Decompress((piece) => pieces.push(piece));
  // The decoder keeps an empty view of each array it is given, and with it the array's buffer: so
  // it gets the same buffer, but for a short beginning, which it keeps until it has more.
  const stored = new Uint8Array(STORED_BYTES);
  let contentBytes = 0;
  let from = start;
  let at = start + head.headBytes;
  for (let isLast = false; !isLast; ) {
    const block = readBlockHead(file, at);
    isLast = block.isLast;
    const checksumBytes = isLast && head.hasChecksum ? CHECKSUM_BYTES : 0;
    const isWhole = at + block.bytes + checksumBytes <= file.bytes;
    const end = at + block.bytes + (isWhole ? checksumBytes : 0);
    refuseFar(file, start, head, contentBytes);
    // The first block comes with the frame's head, the last with its checksum.
    const blockAt = at;
    const size = end - from;
    const isOwn = size > STORED_BYTES || size < KEPT_BYTES;
    const bytes = isOwn ? file.slice(from, end) : file.sliceInto(stored, from, end);
    decode(decoder, bytes, isLast && isWhole, (found) => malformed(file, blockAt, found));
    for (const piece of pieces.splice(0)) {
      contentBytes += piece.length;
      if (head.hasChecksum) hash.update(piece);
      if (piece.length > 0) yield piece;
    }
    if (!isWhole) throw cut(file, at);
    from = at = end;
  }
  if (head.contentBytes !== undefined && head.contentBytes !== contentBytes) {
    throw malformed(file, start, `found ${contentBytes} of ${head.contentBytes} bytes in a frame`);
  }
  if (head.hasChecksum) {
    const expected = new DataView(file.slice(at - CHECKSUM_BYTES, at).buffer).getUint32(0, true);
    if (expected !== hash.digest()[1])
      throw malformed(file, start, "found a frame whose checksum does not match");
  }
  return at;
}

function decode(
  decoder: Decompress,
  bytes: Uint8Array,
  isLast: boolean,
  refused: (found: string) => Malformed,
): void {
  try {
    decoder.push(bytes, isLast);
  } catch (error) {
    // The decoder may fail in any way on bytes that are not zstd.
    throw refused(`found a damaged block: ${String(error)}`);
  }
}

function refuseLarge(file: InputFile, at: number, head: FrameHead, bytesMax: number): void {
  // Content shorter than its window needs only its own length.
  const bytes = Math.min(head.windowBytes, head.contentBytes ?? head.windowBytes);
  if (bytes <= bytesMax) return;
  const [wanted, most] = [bytes, bytesMax].map((size) => Math.ceil(size / 1e6));
  const expected = `expected a zstd window of ${most} MB at most, a share of --memory`;
  const place = `${file.path}: byte ${at}`;
  throw new InputError("bad-input", place, `${expected}, found one of ${wanted} MB`);
}

/**
 * fzstd 0.1.1 reads 25 bits of what a distance has beyond its highest bit: one above 96 MB may lose
 * a bit, and its match is copied from a wrong place.
 */
const DISTANCE_MAX = 2 ** 26 + 2 ** 25 - 4;
const BLOCK_BYTES_MAX = 128 * 1024;

/** InputError if the next block of the frame may hold a match from too far away for fzstd. */
function refuseFar(file: InputFile, start: number, head: FrameHead, contentBytes: number): void {
  // To reach the end of what is sure takes half a minute: a size that is told is refused at once.
  const reach = head.contentBytes ?? contentBytes + BLOCK_BYTES_MAX;
  if (Math.min(head.windowBytes, reach) <= DISTANCE_MAX) return;
  const found = `found one of ${Math.ceil(head.windowBytes / 2 ** 20)} MB`;
  const expected = `expected a zstd window of 96 MB at most, ${found}`;
  const help = "zstd -dc reads it, and so does Node 22.15 or later, if the file is whole";
  throw new InputError("bad-input", `${file.path}: byte ${start}`, `${expected}; ${help}`);
}

function refuseUnusual(file: InputFile, at: number, head: FrameHead): void {
  const place = `${file.path}: byte ${at}`;
  if (head.dictionary !== 0) {
    throw new InputError("bad-input", place, "expected zstd that needs no dictionary");
  }
  if (head.windowBytes > WINDOW_BYTES_MAX) {
    const found = `found one of ${Math.ceil(head.windowBytes / 2 ** 20)} MB`;
    throw new InputError("bad-input", place, `expected a zstd window of 128 MB at most, ${found}`);
  }
}

const CHUNK_BYTES = 256 * 1024;

/**
 * Node's own decoder, in native code; undefined before Node 22.15. Give it one frame at a time:
 * Node 22 and 24 silently stop after the first.
 */
function nodeDecoder(): Transform | undefined {
  const create: unknown = Reflect.get(zlib, "createZstdDecompress");
  const made: unknown = typeof create === "function" ? create() : undefined;
  return made instanceof Transform ? made : undefined;
}

/** The decoded contents of a frame. */
async function* decodeFrame(
  decoder: Transform,
  file: InputFile,
  { start, end }: FrameRange,
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
