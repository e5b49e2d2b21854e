import { randomInt } from "node:crypto";
import fs, { closeSync, openSync } from "node:fs";
import { assert } from "../../../base/assert.ts";

/**
 * One direction of a rack's link, up or down, shared by all processes: a token bucket whose state
 * is a file of reservations. Each reservation is appended in one atomic write; the order in the
 * file is the order in which bytes pass the link. A process computes from the file alone when its
 * bytes are through, so that no process waits for one that is stopped or killed.
 */
export class Link {
  readonly #file: number;
  readonly #now: () => number;
  /** Marks the records that this object writes. */
  readonly #sender = randomInt(1, 2 ** 47);
  readonly #record = Buffer.alloc(RECORD_BYTES);
  readonly #read = Buffer.alloc(RECORD_BYTES * 256);
  /** How far the file has been read. */
  #position = 0;
  #bytesPerMs = 0;
  /** When all reservations read so far are through. */
  #clearAt = Number.NEGATIVE_INFINITY;

  /** `now`: milliseconds of a clock that all processes share. */
  constructor(path: string, now: () => number = machineTime) {
    this.#file = openSync(path, "a+");
    this.#now = now;
  }

  /** Sets the rate from now on; earlier reservations keep their place. */
  setRate(bytesPerMs: number): void {
    assert(bytesPerMs > 0, "a link moves");
    this.#append(RATE, bytesPerMs);
  }

  /** Reserves a place for the bytes on the link; returns the time at which they are through. */
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

  /** The bytes of one reservation, small enough that readers take turns; 0 before a rate is set. */
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

/** A record holds a time, bytes or a rate, and its sender, each an IEEE 754 double. */
const RECORD_BYTES = 24;
/** The sender of a record that sets the rate. */
const RATE = 0;
/** The time's worth of bytes that an idle link lets through at once. */
const BURST_MS = 10;
const CHUNK_MS = 20;
const CHUNK_BYTES_MIN = 1024;

/** The time of the whole machine, in milliseconds; it never goes back. */
export const machineTime = (): number => Number(process.hrtime.bigint()) / 1e6;

// Bound at load time, before a full disk or limited reads replace the functions of `fs`.
const { readSync, writeSync } = fs;
