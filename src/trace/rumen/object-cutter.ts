const [QUOTE, BACKSLASH, OPEN, CLOSE] = [34, 92, 123, 125];

/** Cuts bytes that come in pieces into JSON objects that stand one after another. */
export class ObjectCutter {
  readonly #onObject: (bytes: Uint8Array) => void;
  #kept = new Uint8Array(0);
  #depth = 0;
  #inText = false;
  #isEscaped = false;

  constructor(onObject: (bytes: Uint8Array) => void) {
    this.#onObject = onObject;
  }

  /** Whether an object has begun and not ended. */
  get isOpen(): boolean {
    return this.#depth > 0;
  }

  push(bytes: Uint8Array): void {
    let from = 0;
    for (let at = 0; at < bytes.length; at++) {
      const byte = bytes[at] ?? 0;
      if (this.#inText) {
        if (this.#isEscaped) this.#isEscaped = false;
        else if (byte === BACKSLASH) this.#isEscaped = true;
        else if (byte === QUOTE) this.#inText = false;
        continue;
      }
      if (byte === QUOTE) this.#inText = this.#depth > 0;
      else if (byte === OPEN && this.#depth++ === 0) from = at;
      else if (byte === CLOSE && this.#depth > 0 && --this.#depth === 0) {
        this.#emit(bytes.subarray(from, at + 1));
        from = at + 1;
      }
    }
    if (this.#depth > 0) this.#kept = this.#joined(bytes.subarray(from));
  }

  #emit(end: Uint8Array): void {
    const whole = this.#kept.length > 0 ? this.#joined(end) : end;
    this.#kept = new Uint8Array(0);
    this.#onObject(whole);
  }

  #joined(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
    const all = new Uint8Array(this.#kept.length + bytes.length);
    all.set(this.#kept);
    all.set(bytes, this.#kept.length);
    return all;
  }
}
