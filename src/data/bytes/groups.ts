import { assert } from "../../base/assert.ts";
import { InputError } from "../../base/input-error.ts";
import { type ByteReader, ByteWriter } from "../../job/byte-writer.ts";
import type { Key } from "../../job/index.ts";
import { readKey } from "../../job/key-bytes.ts";
import { type Cursor, compareBytes } from "./cursor.ts";
import { readValue } from "./value-bytes.ts";

/** Walks a sorted stream key by key. */
export class KeyGroups {
  /** The bytes of the current key: the stream's own bytes are overwritten when it moves. */
  readonly keyBytes = new ByteWriter(256);
  readonly #cursor: Cursor;
  readonly #moved: (valuesRead: number) => void;
  readonly #at: ByteReader = { bytes: new Uint8Array(0), at: 0, end: 0 };
  #values: Values | undefined;
  #valuesRead = 0;
  #hasRecord: boolean;
  #hasValue = false;

  /** `moved` is called after a value has been passed, with the number of values passed. */
  constructor(cursor: Cursor, moved: (valuesRead: number) => void = () => {}) {
    this.#cursor = cursor;
    this.#moved = moved;
    this.#hasRecord = cursor.advance();
  }

  /** The number of values passed, over all keys. */
  get valuesRead(): number {
    return this.#valuesRead;
  }

  /** Moves to the next key, past the rest of the current one; returns false if there is none. */
  advance(): boolean {
    while (this.#hasValue) this.#move();
    this.#values?.end();
    if (!this.#hasRecord) return false;
    const { bytes, keyStart, keyEnd } = this.#cursor;
    this.keyBytes.length = 0;
    this.keyBytes.appendRange(bytes, keyStart, keyEnd);
    this.#hasValue = true;
    this.#values = undefined;
    return true;
  }

  get key(): Key {
    return readKey({ bytes: this.keyBytes.bytes, at: 0, end: this.keyBytes.length });
  }

  /** Whether the current key has a value that has not been read. */
  get hasValue(): boolean {
    return this.#hasValue;
  }

  /** The number of bytes of the next value. */
  get valueBytes(): number {
    return this.#hasValue ? this.#cursor.end - this.#cursor.keyEnd : 0;
  }

  takeValue(): unknown {
    assert(this.#hasValue, "the key has another value");
    this.#at.bytes = this.#cursor.bytes;
    this.#at.at = this.#cursor.keyEnd;
    this.#at.end = this.#cursor.end;
    const value = readValue(this.#at);
    this.#move();
    return value;
  }

  /** The current key's values, to be read once and before the next `advance`. */
  values(): Iterable<unknown> {
    this.#values = new Values(this);
    return this.#values;
  }

  #move(): void {
    this.#moved(++this.#valuesRead);
    this.#hasRecord = this.#cursor.advance();
    const { bytes, keyStart, keyEnd } = this.#cursor;
    const key = this.keyBytes;
    this.#hasValue =
      this.#hasRecord && compareBytes(bytes, keyStart, keyEnd, key.bytes, 0, key.length) === 0;
  }
}

class Values implements IterableIterator<unknown> {
  readonly #groups: KeyGroups;
  #isBegun = false;
  #isEnded = false;

  constructor(groups: KeyGroups) {
    this.#groups = groups;
  }

  [Symbol.iterator](): this {
    if (this.#isBegun) {
      const expected = "expected to be read once; keep them with [...values]";
      throw new InputError("bad-job", "values", expected);
    }
    this.#isBegun = true;
    return this;
  }

  next(): IteratorResult<unknown, undefined> {
    return this.#isEnded || !this.#groups.hasValue
      ? { value: undefined, done: true }
      : { value: this.#groups.takeValue(), done: false };
  }

  /** The key's values end here, even if a caller still holds their iterator. */
  end(): void {
    this.#isEnded = true;
  }
}
