import { InputError } from "../../base/input-error.ts";
import { type BlockSource, openBlocks } from "./block-source.ts";
import { textOf } from "./byte-text.ts";
import { type BadRecords, Malformed } from "./malformed.ts";
import type { RecordReader } from "./record-reader.ts";
import type { Split } from "./split.ts";

export interface FixedFormat {
  /** The bytes of each record. */
  readonly bytes: number;
  readonly encoding: "utf8" | "latin1" | "bytes";
}

const BLOCK_BYTES = 1024 * 1024;

/** Records of one length, with nothing between them. */
export class FixedRecords implements RecordReader {
  readonly #split: Split;
  readonly #recordBytes: number;
  readonly #recordOf: (bytes: Buffer) => unknown;
  readonly #bad: BadRecords;
  readonly #source: BlockSource;
  /** The place in the decompressed file at which the current record starts. */
  #at: number;
  #isAtRecord = false;

  constructor(query: {
    readonly split: Split;
    readonly format: FixedFormat;
    readonly bad: BadRecords;
    readonly memoryBytes?: number;
  }) {
    const { split, format, bad, memoryBytes = Number.POSITIVE_INFINITY } = query;
    if (2 * format.bytes > Math.max(memoryBytes, BLOCK_BYTES)) {
      const most = `records of ${memoryBytes / 2} bytes at most, since the task may hold two`;
      throw new InputError("bad-input", split.file, `expected ${most}, found ${format.bytes}`);
    }
    this.#split = split;
    this.#recordBytes = format.bytes;
    this.#recordOf = recordOf(format.encoding);
    this.#bad = bad;
    this.#source = openBlocks(split, memoryBytes);
    this.#at = Math.ceil(split.start / format.bytes) * format.bytes;
  }

  async *pieces(take: (record: unknown) => void): AsyncGenerator<void, void, undefined> {
    try {
      yield* this.#each(take);
    } catch (error) {
      if (this.#isAtRecord) throw error;
      this.#bad.take(error, () => this.place());
    } finally {
      this.#source.close();
    }
  }

  async *#each(take: (record: unknown) => void): AsyncGenerator<void, void, undefined> {
    const size = this.#recordBytes;
    const end = this.#isCompressed ? Number.POSITIVE_INFINITY : this.#split.end;
    const buffer = Buffer.allocUnsafeSlow(Math.max(BLOCK_BYTES, 2 * size));
    let base = Math.max(0, this.#split.start - 1);
    let length = 0;
    while (this.#at < end) {
      const read = await this.#source.read(buffer, length);
      length += read;
      for (; this.#at < end && this.#at + size <= base + length; this.#at += size) {
        const from = this.#at - base;
        this.#isAtRecord = true;
        take(this.#recordOf(buffer.subarray(from, from + size)));
        this.#isAtRecord = false;
      }
      const rest = base + length - this.#at;
      if (read === 0) {
        if (rest <= 0) return;
        throw new Malformed(`expected a record of ${size} bytes, found ${rest}`);
      }
      yield;
      const done = Math.min(length, this.#at - base);
      // A large record arrives in pieces: it is moved once.
      if (done === 0) continue;
      buffer.copyWithin(0, done, length);
      base += done;
      length -= done;
    }
  }

  get isAtRecord(): boolean {
    return this.#isAtRecord;
  }

  get bytesRead(): number {
    if (this.#isCompressed) return this.#source.storedBytes;
    const { start, end } = this.#split;
    return Math.max(0, Math.min(this.#at, end) - start);
  }

  get score(): number {
    const { start, end } = this.#split;
    return start === end ? 1 : Math.min(1, this.bytesRead / (end - start));
  }

  get at(): number {
    return this.#at;
  }

  place(at = this.at): string {
    return `${this.#split.file}: byte ${at}`;
  }

  get #isCompressed(): boolean {
    return this.#split.compression !== "none";
  }
}

/** A record that is handed over must not change when the block does. */
function recordOf(encoding: FixedFormat["encoding"]): (bytes: Buffer) => unknown {
  switch (encoding) {
    case "bytes":
      return (bytes) => Uint8Array.from(bytes);
    case "latin1":
      return (bytes) => bytes.toString("latin1");
    case "utf8":
      return textOf;
  }
}
