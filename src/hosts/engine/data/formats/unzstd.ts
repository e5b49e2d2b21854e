import type { Transform } from "node:stream";
import { Decompress } from "fzstd";
import { InputError } from "../../../../base/input-error.ts";
import type { InputFile } from "./input-file.ts";
import { decodeFrame, nodeDecoder } from "./node-zstd.ts";
import { XXH64 } from "./xxh64.ts";
import {
  CHECKSUM_BYTES,
  cut,
  type FrameHead,
  malformed,
  readBlockHead,
  readHead,
} from "./zstd-frame.ts";

/** As much as zstd's own command line takes unless it is told to take more. */
const WINDOW_BYTES_MAX = 128 * 1024 * 1024;

/** What the file's frames hold, one after the other. */
export async function* unzstd(file: InputFile): AsyncGenerator<Uint8Array, void, undefined> {
  for (let at = 0; at < file.bytes; ) {
    const head = readHead(file, at);
    if ("skip" in head) {
      at += head.skip;
      continue;
    }
    refuseUnusual(file, at, head);
    const decoder = nodeDecoder();
    at =
      decoder === undefined
        ? yield* blockByBlock(file, at, head)
        : yield* byNode(decoder, file, at, head);
  }
}

/** Hands back where the frame ends. */
async function* byNode(
  decoder: Transform,
  file: InputFile,
  start: number,
  head: FrameHead,
): AsyncGenerator<Uint8Array, number, undefined> {
  let end = start + head.headBytes;
  for (let isLast = false; !isLast; ) {
    const block = readBlockHead(file, end);
    isLast = block.isLast;
    end += block.bytes;
  }
  if (head.hasChecksum) end += CHECKSUM_BYTES;
  if (end > file.bytes) throw cut(file, start);
  try {
    yield* decodeFrame(decoder, file, { start, end });
  } catch (error) {
    if (error instanceof InputError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw malformed(file, start, `found a damaged frame: ${reason}`);
  }
  return end;
}

/** The same without Node's help, the checksum included. */
function* blockByBlock(
  file: InputFile,
  start: number,
  head: FrameHead,
): Generator<Uint8Array, number, undefined> {
  const hash = new XXH64();
  const pieces: Uint8Array[] = [];
  const decoder = new Decompress((piece) => pieces.push(piece));
  let contentBytes = 0;
  let from = start;
  let at = start + head.headBytes;
  for (let isLast = false; !isLast; ) {
    const block = readBlockHead(file, at);
    isLast = block.isLast;
    const checksumBytes = isLast && head.hasChecksum ? CHECKSUM_BYTES : 0;
    const end = at + block.bytes + checksumBytes;
    if (end > file.bytes) throw cut(file, at);
    // The first block comes with the frame's head, the last with its checksum.
    decode(decoder, file, { from, at, end, isLast });
    for (const piece of pieces.splice(0)) {
      contentBytes += piece.length;
      if (head.hasChecksum) hash.update(piece);
      if (piece.length > 0) yield piece;
    }
    from = at = end;
  }
  if (head.contentBytes !== undefined && head.contentBytes !== contentBytes) {
    throw malformed(file, start, `found ${contentBytes} of ${head.contentBytes} bytes in a frame`);
  }
  if (head.hasChecksum) {
    const told = new DataView(file.slice(at - CHECKSUM_BYTES, at).buffer).getUint32(0, true);
    if (told !== hash.digest()[1])
      throw malformed(file, start, "found a frame of another checksum");
  }
  return at;
}

function decode(
  decoder: Decompress,
  file: InputFile,
  block: { readonly from: number; readonly at: number; readonly end: number; isLast: boolean },
): void {
  const { from, at, end, isLast } = block;
  const bytes = file.slice(from, end);
  try {
    decoder.push(bytes, isLast);
  } catch (error) {
    // On what is no zstd it may fail in any way.
    throw malformed(file, at, `found a damaged block: ${String(error)}`);
  }
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
