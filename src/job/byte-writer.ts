/** Bytes that grow at the end. Growth replaces `bytes`: read it again after each `reserve`. */
export class ByteWriter {
  bytes: Uint8Array<ArrayBuffer>;
  length = 0;

  constructor(capacity = 1024) {
    this.bytes = new Uint8Array(capacity);
  }

  /** Makes room for `more` bytes after `length`. */
  reserve(more: number): Uint8Array<ArrayBuffer> {
    const needed = this.length + more;
    if (needed > this.bytes.length) {
      const grown = new Uint8Array(Math.max(needed, 2 * this.bytes.length));
      grown.set(this.bytes.subarray(0, this.length));
      this.bytes = grown;
    }
    return this.bytes;
  }

  byte(value: number): void {
    this.reserve(1)[this.length++] = value;
  }

  append(bytes: Uint8Array): void {
    this.reserve(bytes.length).set(bytes, this.length);
    this.length += bytes.length;
  }

  appendRange(from: Uint8Array, start: number, end: number): void {
    const bytes = this.reserve(end - start);
    let at = this.length;
    // A loop beats subarray and set for the short ranges that keys and values are.
    if (end - start <= 64) for (let i = start; i < end; i++) bytes[at++] = from[i] ?? 0;
    else bytes.set(from.subarray(start, end), at);
    this.length += end - start;
  }

  /** The bytes written, shared with the writer. */
  view(): Uint8Array<ArrayBuffer> {
    return this.bytes.subarray(0, this.length);
  }
}

/** A place in bytes, which moves forward as they are read. */
export interface ByteReader {
  bytes: Uint8Array;
  at: number;
  /** The end of the value being read. */
  end: number;
}
