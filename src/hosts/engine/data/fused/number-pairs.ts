import type { ByteReader } from "../../../../job/byte-writer.ts";
import { BLOCK_HEADER_BYTES } from "../run-format.ts";
import { RunReader } from "../run-reader.ts";
import { isPairAt, readValue, readVarint } from "../value-bytes.ts";

/** Pairs of numbers, in the order in which they came. */
export class NumberPairs {
  keys = new Float64Array(1 << 12);
  values = new Float64Array(1 << 12);
  count = 0;

  add(key: number, value: number): void {
    if (this.count === this.keys.length) {
      this.keys = grown(this.keys);
      this.values = grown(this.values);
    }
    this.keys[this.count] = key;
    this.values[this.count++] = value;
  }

  /** Those of a dataset. Undefined: a record is something else, or they take more bytes. */
  static read(files: readonly string[], bytesMax: number): NumberPairs | undefined {
    const pairs = new NumberPairs();
    for (const file of files) if (!pairs.#tryRead(file, bytesMax)) return undefined;
    return pairs;
  }

  #tryRead(file: string, bytesMax: number): boolean {
    const reader = new RunReader(file);
    try {
      for (const block of reader.blocks(0)) {
        if (!this.#tryTake(block) || 16 * this.count > bytesMax) return false;
      }
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

function grown(numbers: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> {
  const more = new Float64Array(2 * numbers.length);
  more.set(numbers);
  return more;
}
