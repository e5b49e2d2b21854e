import { Readable } from "node:stream";
import { crc32, createInflateRaw, inflateRawSync } from "node:zlib";
import { InputError } from "../../base/input-error.ts";
import type { InputFile } from "./input-file.ts";
import { Malformed } from "./malformed.ts";

/** Deflated bytes given to the decoder at a time. */
const STORED_BYTES = 64 * 1024;
const CHUNK_BYTES = 256 * 1024;
/** Members of no more than this, inflated, are decoded in one go. */
const SMALL_BYTES = 1024 * 1024;

/**
 * The contents of the file's members, one after another. Node's own decoder loses the bytes just
 * before a damaged member, and reports no places.
 */
export async function* gunzip(file: InputFile): AsyncGenerator<Uint8Array, void, undefined> {
  let isSmall = false;
  for (let start = 0; start < file.bytes && !isPadding(file, start); ) {
    const from = headEnd(file, start);
    const content = { crc: 0, bytes: 0 };
    const small: Whole | undefined = isSmall ? inflateSmall(file, from) : undefined;
    let end: number;
    if (small !== undefined) {
      end = small.end;
      count(content, small.bytes);
      if (small.bytes.length > 0) yield small.bytes;
    } else {
      const member = new Member(file, from);
      for await (const chunk of member.inflate()) {
        count(content, chunk);
        yield chunk;
      }
      end = member.end;
    }
    const trailer = readTail(file, end);
    if (trailer.crc !== content.crc || trailer.size !== content.bytes % 2 ** 32) {
      throw malformed(file, start, "found a member whose checksum does not match");
    }
    isSmall = end - from < STORED_BYTES && content.bytes < SMALL_BYTES;
    start = end + TAIL_BYTES;
  }
}

function count(content: { crc: number; bytes: number }, chunk: Uint8Array): void {
  content.crc = crc32(chunk, content.crc);
  content.bytes += chunk.length;
}

/**
 * Whether only zeros follow up to the file's end, as on tapes; other bytes after a member begin
 * another.
 */
function isPadding(file: InputFile, start: number): boolean {
  for (let at = start; at < file.bytes; at += STORED_BYTES) {
    const bytes = file.slice(at, Math.min(at + STORED_BYTES, file.bytes));
    const other = bytes.findIndex((byte) => byte !== 0);
    if (at === start && other === 0) return false;
    if (other >= 0) throw malformed(file, at + other, "found other bytes after zeros");
  }
  return true;
}

interface Whole {
  readonly bytes: Uint8Array;
  /** The place where the member's tail begins. */
  readonly end: number;
}

/** Undefined if the member is not small, or is damaged. */
function inflateSmall(file: InputFile, from: number): Whole | undefined {
  const stored = file.slice(from, Math.min(from + STORED_BYTES, file.bytes));
  try {
    const options = { info: true, maxOutputLength: SMALL_BYTES, chunkSize: STORED_BYTES } as const;
    const { buffer, engine }: Informed = Object(inflateRawSync(stored, options));
    return { bytes: buffer, end: from + engine.bytesWritten };
  } catch {
    return undefined;
  }
}

/** The result with the option `info`, which Node's types lack. */
interface Informed {
  readonly buffer: Uint8Array;
  readonly engine: { readonly bytesWritten: number };
}

class Member {
  readonly #file: InputFile;
  readonly #from: number;
  readonly #inflated = createInflateRaw({ chunkSize: CHUNK_BYTES });

  constructor(file: InputFile, from: number) {
    this.#file = file;
    this.#from = from;
  }

  /** The place where the member's tail begins, known once the member is inflated. */
  get end(): number {
    return this.#from + this.#inflated.bytesWritten;
  }

  async *inflate(): AsyncGenerator<Uint8Array, void, undefined> {
    const inflated = this.#inflated;
    const stored = Readable.from(this.#stored(), {
      objectMode: false,
      highWaterMark: STORED_BYTES,
    });
    // A stream's error does not pass along a pipe.
    stored.on("error", (error) => inflated.destroy(error)).pipe(inflated);
    try {
      for await (const chunk of inflated) yield chunk;
    } catch (error) {
      if (error instanceof InputError) throw error;
      const reason = error instanceof Error ? error.message : String(error);
      if (reason === "unexpected end of file") throw cut(this.#file, this.end);
      throw malformed(this.#file, this.end, `found a damaged member: ${reason}`);
    } finally {
      stored.destroy();
      inflated.destroy();
    }
  }

  *#stored(): Generator<Uint8Array> {
    const { bytes } = this.#file;
    for (let at = this.#from; at < bytes; at += STORED_BYTES) {
      yield this.#file.slice(at, Math.min(at + STORED_BYTES, bytes));
    }
  }
}

/** The optional fields of a member's head (RFC 1952, 2.3.1). */
const FLAG = { headChecksum: 2, extra: 4, name: 8, comment: 16, reserved: 0xe0 } as const;
const ID1 = 0x1f;
const ID2 = 0x8b;
const DEFLATE = 8;
const FIXED_BYTES = 10;

/** Bytes of the member's checksum and size, which follow the deflated bytes. */
const TAIL_BYTES = 8;

/** The place where the deflated bytes of the member at `start` begin. */
function headEnd(file: InputFile, start: number): number {
  const [id1, id2 = ID2] = file.slice(start, Math.min(start + 2, file.bytes));
  if (id1 !== ID1 || id2 !== ID2) throw malformed(file, start, "found no member there");
  const [, , method = 0, flags = 0] = fieldAt(file, start, FIXED_BYTES, start);
  if (method !== DEFLATE || (flags & FLAG.reserved) !== 0) {
    throw malformed(file, start, "found an unknown kind of member");
  }
  let at = start + FIXED_BYTES;
  if ((flags & FLAG.extra) !== 0) {
    const [low = 0, high = 0] = fieldAt(file, at, 2, start);
    at += 2 + low + 256 * high;
  }
  if ((flags & FLAG.name) !== 0) at = textEnd(file, at, start);
  if ((flags & FLAG.comment) !== 0) at = textEnd(file, at, start);
  return (flags & FLAG.headChecksum) === 0 ? at : at + 2;
}

/** The contents of a member's tail: its content's checksum, and its size modulo 2^32. */
function readTail(file: InputFile, at: number): { crc: number; size: number } {
  const view = new DataView(fieldAt(file, at, TAIL_BYTES, at).buffer);
  return { crc: view.getUint32(0, true), size: view.getUint32(4, true) };
}

/** The place after the zero byte that ends a text. */
function textEnd(file: InputFile, from: number, start: number): number {
  for (let at = from; ; at++) if (fieldAt(file, at, 1, start)[0] === 0) return at + 1;
}

function fieldAt(file: InputFile, at: number, size: number, start: number) {
  if (at + size > file.bytes) throw cut(file, start);
  return file.slice(at, at + size);
}

const malformed = (file: InputFile, at: number, found: string, isCut = false): Malformed =>
  new Malformed(`expected a whole gzip file, ${found}`, {
    ...{ place: `${file.path}: byte ${at}`, isCut },
  });

const cut = (file: InputFile, at: number): Malformed =>
  malformed(file, at, "found its end within a member", true);
