import type { BlockSource } from "./block-source.ts";
import { gunzip } from "./gunzip.ts";
import { type FileState, InputFile } from "./input-file.ts";
import { unzstd } from "./unzstd.ts";

export type Compression = "gzip" | "zstd";

/** How a file of this name is compressed. */
export function compressionOf(path: string): Compression | "none" {
  if (path.endsWith(".gz")) return "gzip";
  return path.endsWith(".zst") ? "zstd" : "none";
}

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
