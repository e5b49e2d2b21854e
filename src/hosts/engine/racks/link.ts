import { randomInt } from "node:crypto";
import fs, { closeSync, openSync } from "node:fs";
import { assert } from "../../../base/assert.ts";

/**
 * One way of a rack's link, up or down, that all processes share: a token bucket whose state is a
 * file of reservations. Each is appended in one write, which the system does not mix with another;
 * the order in the file is the order in which bytes go over the link. A process works out
 * from the file alone when its bytes are through, so that no process waits for one that is stopped
 * or killed.
 */
export class Link {
  readonly #file: number;
  readonly #now: () => number;
  /** Tells the records of this object from all others. */
  readonly #sender = randomInt(1, 2 ** 47);
  readonly #record = Buffer.alloc(RECORD_BYTES);
  readonly #read = Buffer.alloc(RECORD_BYTES * 256);
  /** What has been read of the file. */
  #position = 0;
  #bytesPerMs = 0;
  /** When all that was reserved, as far as the file was read, is through. */
  #clearAt = Number.NEGATIVE_INFINITY;

  /** `now`: milliseconds of a clock that all processes share. */
  constructor(path: string, now: () => number = machineTime) {
    this.#file = openSync(path, "a+");
    this.#now = now;
  }

  /** From now on; what is under way already keeps its place. */
  setRate(bytesPerMs: number): void {
    assert(bytesPerMs > 0, "a link moves");
    this.#append(RATE, bytesPerMs);
  }

  /** Takes the bytes' place on the link; the time at which they are through. */
  reserve(bytes: number): number {
    this.#append(this.#sender, bytes);
    for (;;) {
      const read = readSync(this.#file, this.#read, 0, this.#read.length, this.#position);
      assert(read >= RECORD_BYTES, "what was appended can be read");
      for (let at = 0; at + RECORD_BYTES <= read; at += RECORD_BYTES) {
        this.#position += RECORD_BYTES;
        if (this.#follow(at) === this.#sender) return this.#clearAt - BURST_MS;
      }
    }
  }

  /** Bytes that are reserved at a time, so that readers take turns; 0 before a rate was set. */
  get chunkBytes(): number {
    return Math.max(CHUNK_BYTES_MIN, Math.ceil(this.#bytesPerMs * CHUNK_MS));
  }

  close(): void {
    closeSync(this.#file);
  }

  #append(sender: number, amount: number): void {
    this.#record.writeDoubleLE(this.#now(), 0);
    this.#record.writeDoubleLE(amount, 8);
    this.#record.writeDoubleLE(sender, 16);
    writeSync(this.#file, this.#record);
  }

  #follow(at: number): number {
    const time = this.#read.readDoubleLE(at);
    const amount = this.#read.readDoubleLE(at + 8);
    const sender = this.#read.readDoubleLE(at + 16);
    const from = Math.max(this.#clearAt, time);
    if (sender === RATE) {
      const bytesLeft = (from - time) * this.#bytesPerMs;
      this.#bytesPerMs = amount;
      this.#clearAt = time + bytesLeft / amount;
    } else {
      assert(this.#bytesPerMs > 0, "a link has a rate before anything goes over it");
      this.#clearAt = from + amount / this.#bytesPerMs;
    }
    return sender;
  }
}

/** Of a record: a time, bytes or a rate, and whose it is, each an IEEE 754 double. */
const RECORD_BYTES = 24;
/** The sender of a record that sets the rate. */
const RATE = 0;
/** An idle link lets so much through at once. */
const BURST_MS = 10;
const CHUNK_MS = 20;
const CHUNK_BYTES_MIN = 1024;

/** Of the whole machine, in milliseconds; it never goes back. */
export const machineTime = (): number => Number(process.hrtime.bigint()) / 1e6;

// As they are before a node's disk is made full, or its reads pass over links.
const { readSync, writeSync } = fs;
