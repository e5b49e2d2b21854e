import { gunzip } from "./gunzip.ts";
import { type FileState, fileOf, InputFile } from "./input-file.ts";
import type { Compression, Split } from "./split.ts";
import { unzstd } from "./unzstd.ts";

/** Bytes of a file, decompressed, in order. */
export interface BlockSource {
  /** Fills `into` from `at` on, not necessarily to its end; how many bytes, 0 at the file's end. */
  read(into: Uint8Array, at: number): number | Promise<number>;
  /** Bytes read of the file as it is stored. */
  readonly storedBytes: number;
  close(): void;
}

/**
 * Where reading the split's records begins: one byte early, unless it is known where the
 * first record starts. If that byte is a line's end, the first line starts at the split's start.
 */
export const readFrom = ({ start, firstRecord }: Split): number =>
  firstRecord ?? Math.max(0, start - 1);

/** From there to the end of the file: the reader knows when to stop. */
export function openBlocks(split: Split, memoryBytes?: number): BlockSource {
  const { compression } = split;
  return compression === "none"
    ? new PlainBlocks(split)
    : new CompressedBlocks({ ...fileOf(split), by: compression, memoryBytes });
}

/** Blocking reads: the fastest way in Node, and a map has nothing else to do. */
class PlainBlocks implements BlockSource {
  readonly #file: InputFile;
  readonly #from: number;
  readonly #end: number;
  #at: number;
  /** How much is read at once after the split's end; doubled by each read. */
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
    // Little is wanted after the split's end: the rest of its last record. A long rest is read in
    // few steps.
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

/** A compressed file from its start to its end: where in it a record starts is not known. */
export class CompressedBlocks implements BlockSource {
  readonly #file: InputFile;
  readonly #chunks: Iterator<Uint8Array> | AsyncIterator<Uint8Array>;
  #rest: Uint8Array = new Uint8Array(0);

  constructor(
    file: FileState & {
      readonly by: Compression;
      /** Of the task: what decompressing wants must leave the half of it. */
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
