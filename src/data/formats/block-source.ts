import { gunzip } from "./gunzip.ts";
import { type FileState, fileOf, InputFile } from "./input-file.ts";
import type { Compression, Split } from "./split.ts";
import { unzstd } from "./unzstd.ts";

/** The bytes of a file, decompressed, in order. */
export interface BlockSource {
  /**
   * Fills `into` from `at` on, not necessarily to its end; returns the number of bytes, 0 at the
   * file's end.
   */
  read(into: Uint8Array, at: number): number | Promise<number>;
  /** Bytes of the stored file that have been read. */
  readonly storedBytes: number;
  close(): void;
}

/**
 * The place where reading starts: one byte before the split, unless its first record's place is
 * known. If that byte ends a line, the first line starts at the split's start.
 */
export const readFrom = ({ start, firstRecord }: Split): number =>
  firstRecord ?? Math.max(0, start - 1);

/** Reads from `readFrom` to the end of the file: the caller knows when to stop. */
export function openBlocks(split: Split, memoryBytes?: number): BlockSource {
  const { compression } = split;
  return compression === "none"
    ? new PlainBlocks(split)
    : new CompressedBlocks({ ...fileOf(split), by: compression, memoryBytes });
}

/** Reads block: the fastest way in Node, and a map has nothing else to do. */
class PlainBlocks implements BlockSource {
  readonly #file: InputFile;
  readonly #from: number;
  readonly #end: number;
  #at: number;
  /** The bytes of the next read after the split's end; each read doubles the number. */
  #afterBytes = AFTER_BYTES;

  constructor(split: Split) {
    this.#file = new InputFile(fileOf(split));
    this.#from = readFrom(split);
    this.#end = split.end;
    this.#at = this.#from;
  }

  get storedBytes(): number {
    return this.#at - this.#from;
  }

  read(into: Uint8Array, at: number): number {
    // After the split's end, only the rest of the last record is wanted. A long rest takes few
    // reads.
    const wanted = Math.max(this.#end - this.#at, this.#afterBytes);
    if (this.#at >= this.#end) this.#afterBytes *= 2;
    const read = this.#file.read(into, at, Math.min(into.length - at, wanted), this.#at);
    this.#at += read;
    return read;
  }

  close(): void {
    this.#file.close();
  }
}

const AFTER_BYTES = 4096;

/** A compressed file from start to end: the places of its records are unknown. */
export class CompressedBlocks implements BlockSource {
  readonly #file: InputFile;
  readonly #chunks: Iterator<Uint8Array> | AsyncIterator<Uint8Array>;
  #rest: Uint8Array = new Uint8Array(0);

  constructor(
    file: FileState & {
      readonly by: Compression;
      /** The task's memory; decompression must leave half of it. */
      readonly memoryBytes?: number | undefined;
    },
  ) {
    const { memoryBytes = Number.POSITIVE_INFINITY } = file;
    this.#file = new InputFile(file);
    this.#chunks = file.by === "gzip" ? gunzip(this.#file) : unzstd(this.#file, memoryBytes / 2);
  }

  get storedBytes(): number {
    return this.#file.bytesRead;
  }

  async read(into: Uint8Array, at: number): Promise<number> {
    while (this.#rest.length === 0) {
      const { value, done } = await this.#chunks.next();
      if (done) return 0;
      this.#rest = value;
    }
    const size = Math.min(this.#rest.length, into.length - at);
    into.set(this.#rest.subarray(0, size), at);
    this.#rest = this.#rest.subarray(size);
    return size;
  }

  close(): void {
    // A stream that still reads must not meet a closed file.
    void Promise.resolve(this.#chunks.return?.()).finally(() => this.#file.close());
  }
}
