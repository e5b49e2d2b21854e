import { closeSync, createReadStream, fstatSync, openSync, readSync } from "node:fs";
import { createGunzip } from "node:zlib";
import { InputError } from "../../../base/input-error.ts";
import type { Split } from "./splits.ts";

/** Bytes of a file, decompressed, in order. */
export interface BlockSource {
  /** Fills `into` from `at` on, not necessarily to its end; how many bytes, 0 at the file's end. */
  read(into: Buffer, at: number): number | Promise<number>;
  /** Bytes read of the file as it is stored. */
  readonly storedBytes: number;
  close(): void;
}

/** From one byte before the split's start to the end of the file: the reader knows when to stop. */
export function openBlocks(split: Split): BlockSource {
  return split.compression === "gzip" ? new GzipBlocks(split) : new PlainBlocks(split);
}

/** Blocking reads: the fastest way in Node, and a map has nothing else to do. */
class PlainBlocks implements BlockSource {
  readonly #handle: number;
  readonly #from: number;
  readonly #end: number;
  #at: number;

  constructor(split: Split) {
    this.#handle = openSync(split.file, "r");
    this.#from = Math.max(0, split.start - 1);
    this.#end = split.end;
    this.#at = this.#from;
    assertUnchanged(split, this.#handle);
  }

  get storedBytes(): number {
    return this.#at - this.#from;
  }

  read(into: Buffer, at: number): number {
    // Little is wanted after the split's end: the rest of its last record.
    const wanted = Math.max(this.#end - this.#at, AFTER_BYTES);
    const size = Math.min(into.length - at, wanted);
    const read = readSync(this.#handle, into, at, size, this.#at);
    this.#at += read;
    return read;
  }

  close(): void {
    closeSync(this.#handle);
  }
}

const AFTER_BYTES = 4096;

class GzipBlocks implements BlockSource {
  readonly #split: Split;
  readonly #file: ReturnType<typeof createReadStream>;
  readonly #chunks: AsyncIterator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(split: Split) {
    this.#split = split;
    const handle = openSync(split.file, "r");
    assertUnchanged(split, handle);
    this.#file = createReadStream("", { fd: handle, start: 0, highWaterMark: 256 * 1024 });
    const unzipped = createGunzip({ chunkSize: 256 * 1024 });
    // A stream's error does not travel along a pipe.
    this.#file.on("error", (error) => unzipped.destroy(error)).pipe(unzipped);
    this.#chunks = unzipped[Symbol.asyncIterator]();
  }

  get storedBytes(): number {
    return this.#file.bytesRead;
  }

  async read(into: Buffer, at: number): Promise<number> {
    if (this.#rest.length === 0) this.#rest = await this.#next();
    const size = this.#rest.copy(into, at);
    this.#rest = this.#rest.subarray(size);
    return size;
  }

  close(): void {
    this.#file.destroy();
  }

  async #next(): Promise<Buffer> {
    try {
      const { value, done } = await this.#chunks.next();
      return done ? Buffer.alloc(0) : value;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new InputError("bad-input", this.#split.file, `expected a whole gzip file: ${reason}`);
    }
  }
}

function assertUnchanged(split: Split, handle: number): void {
  const { size } = fstatSync(handle);
  if (size === split.fileBytes) return;
  closeSync(handle);
  const before = `expected the ${split.fileBytes} bytes that it had when the job began`;
  throw new InputError("bad-input", split.file, `${before}, found ${size}`);
}
