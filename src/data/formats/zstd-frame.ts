import type { InputFile } from "./input-file.ts";
import { Malformed } from "./malformed.ts";

/** The head of a zstd frame (RFC 8878, 3.1.1.1). */
export interface FrameHead {
  readonly headBytes: number;
  /** The bytes of output that a decoder must keep. */
  readonly windowBytes: number;
  /** The decompressed size, if the frame gives it. */
  readonly contentBytes: number | undefined;
  /** Whether the low half of the content's XXH64 follows the last block. */
  readonly hasChecksum: boolean;
  readonly dictionary: number;
}

/** A block with its head. */
export interface ZstdBlock {
  readonly bytes: number;
  readonly isLast: boolean;
}

const MAGIC = 0xfd2fb528;
/** The magic number of skippable frames; its four low bits may be any. */
const SKIPPABLE = 0x184d2a50;
const HEAD_BYTES_MAX = 18;
const BLOCK_HEAD_BYTES = 3;
export const CHECKSUM_BYTES = 4;

/**
 * The head of the frame that starts here; or the number of bytes to skip, if the frame holds no
 * data.
 */
export function readHead(file: InputFile, at: number): FrameHead | { readonly skip: number } {
  const bytes = file.slice(at, Math.min(at + HEAD_BYTES_MAX, file.bytes));
  const view = new DataView(bytes.buffer);
  const has = (size: number): void => {
    if (size > bytes.length) throw cut(file, at);
  };
  if (bytes.length < 4 && !beginsFrame(bytes)) throw malformed(file, at, NO_FRAME);
  has(4);
  const magic = view.getUint32(0, true);
  if ((magic & ~0xf) >>> 0 === SKIPPABLE) {
    has(8);
    const skip = 8 + view.getUint32(4, true);
    if (at + skip > file.bytes) throw cut(file, at);
    return { skip };
  }
  if (magic !== MAGIC) throw malformed(file, at, NO_FRAME);
  has(5);
  const flags = view.getUint8(4);
  if ((flags & 8) !== 0) throw malformed(file, at, "found an unknown kind of frame");
  const isSingle = (flags & 0x20) !== 0;
  const dictionaryAt = isSingle ? 5 : 6;
  const dictionaryBytes = [0, 1, 2, 4][flags & 3] ?? 0;
  const contentAt = dictionaryAt + dictionaryBytes;
  const contentSizeBytes = [isSingle ? 1 : 0, 2, 4, 8][flags >> 6] ?? 0;
  const headBytes = contentAt + contentSizeBytes;
  has(headBytes);
  const field = numberAt(view, contentAt, contentSizeBytes);
  // A size in two bytes counts from 256.
  const contentBytes = field === undefined || contentSizeBytes !== 2 ? field : field + 256;
  return {
    headBytes,
    windowBytes: isSingle ? (contentBytes ?? 0) : windowOf(view.getUint8(5)),
    contentBytes,
    hasChecksum: (flags & 4) !== 0,
    dictionary: numberAt(view, dictionaryAt, dictionaryBytes) ?? 0,
  };
}

const NO_FRAME = "found no frame there";

/** Whether these bytes, fewer than the four of a magic number, may begin a frame. */
function beginsFrame(bytes: Uint8Array): boolean {
  const [first = 0, ...rest] = bytes;
  const others = (magic: number): boolean =>
    rest.every((byte, i) => byte === ((magic >>> (8 * (i + 1))) & 0xff));
  const isSkippable = (first & ~0xf) === (SKIPPABLE & 0xff);
  return (first === (MAGIC & 0xff) && others(MAGIC)) || (isSkippable && others(SKIPPABLE));
}

/** The head of the block that starts here; the file must hold the whole block. */
export function readBlockHead(file: InputFile, at: number): ZstdBlock {
  if (at + BLOCK_HEAD_BYTES > file.bytes) throw cut(file, at);
  const [low = 0, middle = 0, high = 0] = file.slice(at, at + BLOCK_HEAD_BYTES);
  const type = (low >> 1) & 3;
  if (type === 3) throw malformed(file, at, "found an unknown kind of block");
  const size = (low >> 3) | (middle << 5) | (high << 13);
  // One byte, repeated `size` times.
  const bytes = BLOCK_HEAD_BYTES + (type === 1 ? 1 : size);
  if (at + bytes > file.bytes) throw cut(file, at);
  return { bytes, isLast: (low & 1) !== 0 };
}

function windowOf(descriptor: number): number {
  const base = 2 ** (10 + (descriptor >> 3));
  return base + (base / 8) * (descriptor & 7);
}

function numberAt(view: DataView, at: number, size: number): number | undefined {
  switch (size) {
    case 0:
      return undefined;
    case 1:
      return view.getUint8(at);
    case 2:
      return view.getUint16(at, true);
    case 4:
      return view.getUint32(at, true);
    default:
      return Number(view.getBigUint64(at, true));
  }
}

export const malformed = (file: InputFile, at: number, found: string, isCut = false): Malformed =>
  new Malformed(`expected a whole zstd file, ${found}`, {
    ...{ place: `${file.path}: byte ${at}`, isCut },
  });

export const cut = (file: InputFile, at: number): Malformed =>
  malformed(file, at, "found its end within a frame", true);
