import { readSync } from "node:fs";
import { assert } from "../../../base/assert.ts";
import { waitForPeer, writeWhole } from "./pipe.ts";

/** A record of Hadoop's streaming in its `rawbytes` format: a length before each part. */
export interface Frame {
  readonly key: Buffer;
  readonly value: Buffer;
}

const LENGTH_BYTES = 4;

/** Writes frames to an open file. Blocking: a writer that is faster than the reader waits. */
export class FrameWriter {
  readonly #handle: number;

  constructor(handle: number) {
    this.#handle = handle;
  }

  write(key: Uint8Array, value: Uint8Array): void {
    const head = Buffer.allocUnsafe(LENGTH_BYTES + key.length + LENGTH_BYTES);
    head.writeInt32BE(key.length, 0);
    head.set(key, LENGTH_BYTES);
    head.writeInt32BE(value.length, LENGTH_BYTES + key.length);
    writeWhole(this.#handle, head);
    writeWhole(this.#handle, value);
  }
}

/**
 * The frames of an open file, to its end. A frame's buffer is reused for the next frame. Blocking.
 */
export function* readFrames(handle: number): Generator<Frame, void, undefined> {
  const reader = new Blocks(handle);
  while (reader.has(LENGTH_BYTES)) {
    const keyBytes = reader.length(0);
    const valueAt = LENGTH_BYTES + keyBytes + LENGTH_BYTES;
    assert(reader.has(valueAt), "a frame has a whole key");
    const end = valueAt + reader.length(LENGTH_BYTES + keyBytes);
    assert(reader.has(end), "a frame has a whole value");
    yield {
      key: reader.slice(LENGTH_BYTES, LENGTH_BYTES + keyBytes),
      value: reader.slice(valueAt, end),
    };
    reader.pass(end);
  }
  assert(!reader.has(1), "frames end where a frame ends");
}

const BLOCK_BYTES = 256 * 1024;

/** The unread bytes of a file, block by block. */
class Blocks {
  readonly #handle: number;
  #buffer = Buffer.allocUnsafeSlow(BLOCK_BYTES);
  #from = 0;
  #to = 0;

  constructor(handle: number) {
    this.#handle = handle;
  }

  /** Whether the file has this many more bytes; waits for them. */
  has(bytes: number): boolean {
    while (this.#to - this.#from < bytes) {
      this.#makeRoom(bytes);
      const read = readSome(this.#handle, this.#buffer, this.#to);
      if (read === 0) return false;
      this.#to += read;
    }
    return true;
  }

  length(at: number): number {
    return this.#buffer.readInt32BE(this.#from + at);
  }

  slice(start: number, end: number): Buffer {
    return this.#buffer.subarray(this.#from + start, this.#from + end);
  }

  pass(bytes: number): void {
    this.#from += bytes;
  }

  #makeRoom(bytes: number): void {
    if (this.#from + bytes <= this.#buffer.length && this.#to < this.#buffer.length) return;
    const rest = this.#buffer.subarray(this.#from, this.#to);
    const isEnough = bytes <= this.#buffer.length;
    const buffer = isEnough ? this.#buffer : Buffer.allocUnsafeSlow(2 * bytes);
    rest.copy(buffer);
    this.#buffer = buffer;
    this.#to = rest.length;
    this.#from = 0;
  }
}

function readSome(handle: number, into: Buffer, at: number): number {
  for (;;) {
    try {
      return readSync(handle, into, at, into.length - at, null);
    } catch (error) {
      waitForPeer(error);
    }
  }
}
