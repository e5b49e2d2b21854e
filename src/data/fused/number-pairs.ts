import type { ByteReader } from "../../job/byte-writer.ts";
import { BLOCK_HEADER_BYTES } from "../bytes/run-format.ts";
import { RunReader } from "../bytes/run-reader.ts";
import { isPairAt, readValue, readVarint } from "../bytes/value-bytes.ts";

/** The bytes of a pair. */
const PAIR_BYTES = 16;

/** Pairs of numbers, in the order in which they were added. */
export class NumberPairs {
  keys: Float64Array<ArrayBuffer>;
  values: Float64Array<ArrayBuffer>;
  count = 0;

  /** `room`: the pairs to have room for at first. */
  constructor(room = 1 << 12) {
    this.keys = new Float64Array(room);
    this.values = new Float64Array(room);
  }

  add(key: number, value: number): void {
    if (this.count === this.keys.length) {
      this.keys = grown(this.keys);
      this.values = grown(this.values);
    }
    this.keys[this.count] = key;
    this.values[this.count++] = value;
  }

  /**
   * The pairs of a dataset. Undefined if a record is something else, or the pairs take more bytes.
   */
  static read(files: readonly string[], bytesMax: number): NumberPairs | undefined {
    const count = files.reduce((sum, file) => sum + recordsIn(file), 0);
    if (PAIR_BYTES * count > bytesMax) return undefined;
    const pairs = new NumberPairs(count);
    for (const file of files) if (!pairs.#tryRead(file)) return undefined;
    return pairs;
  }

  #tryRead(file: string): boolean {
    const reader = new RunReader(file);
    try {
      for (const block of reader.blocks(0)) if (!this.#tryTake(block)) return false;
    } finally {
      reader.close();
    }
    return true;
  }

  #tryTake(block: Uint8Array): boolean {
    const at: ByteReader = { bytes: block, at: BLOCK_HEADER_BYTES, end: block.length };
    while (at.at < block.length) {
      const keyBytes = readVarint(at);
      readVarint(at);
      at.at += keyBytes;
      if (!isPairAt(at)) return false;
      const key = readValue(at);
      const value = readValue(at);
      if (typeof key !== "number" || typeof value !== "number") return false;
      this.add(key, value);
    }
    return true;
  }
}

function recordsIn(file: string): number {
  const reader = new RunReader(file);
  reader.close();
  return reader.segment(0).records;
}

function grown(numbers: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> {
  const more = new Float64Array(2 * numbers.length);
  more.set(numbers);
  return more;
}
