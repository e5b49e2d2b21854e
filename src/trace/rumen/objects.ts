const QUOTE = 34;
const BACKSLASH = 92;
const [OPEN_BRACE, CLOSE_BRACE] = [123, 125];
const NEWLINE = 10;

/** Called with the bytes of an object, and the number of the line on which it begins. */
export type OnObject = (bytes: Uint8Array, line: number) => void;

/**
 * Cuts bytes that come in pieces into their top-level JSON objects, by brackets: one object of the
 * file is in memory at a time.
 */
export class JsonObjects {
  readonly #onObject: OnObject;
  #kept: Uint8Array[] = [];
  #depth = 0;
  #isText = false;
  #isEscaped = false;
  #line = 1;
  #begin = 1;
  #stray = 0;

  constructor(onObject: OnObject) {
    this.#onObject = onObject;
  }

  /** Whether an object is open: at the end of the bytes it is cut off. */
  get isOpen(): boolean {
    return this.#depth > 0;
  }

  /** The line of the first byte outside of all objects, beside commas and brackets; 0 if none. */
  get strayLine(): number {
    return this.#stray;
  }

  /** The line on which the last object began. */
  get beginLine(): number {
    return this.#begin;
  }

  push(bytes: Uint8Array): void {
    let from = 0;
    for (let at = 0; at < bytes.length; at++) {
      const byte = bytes[at]!;
      if (byte === NEWLINE) this.#line += 1;
      if (this.#isText) this.#inText(byte);
      else if (byte === QUOTE && this.#depth > 0) this.#isText = true;
      else if (byte === OPEN_BRACE) {
        if (this.#depth === 0) {
          from = at;
          this.#begin = this.#line;
        }
        this.#depth += 1;
      } else if (byte === CLOSE_BRACE && this.#depth > 0) {
        this.#depth -= 1;
        if (this.#depth === 0) this.#emit(bytes.subarray(from, at + 1));
      } else if (this.#depth === 0 && !isBetween(byte)) this.#stray ||= this.#line;
    }
    if (this.#depth > 0) this.#kept.push(bytes.slice(from));
  }

  #inText(byte: number): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (byte === BACKSLASH) this.#isEscaped = true;
    else if (byte === QUOTE) this.#isText = false;
  }

  #emit(last: Uint8Array): void {
    const pieces = [...this.#kept, last];
    this.#kept = [];
    const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    for (const piece of pieces) {
      whole.set(piece, at);
      at += piece.length;
    }
    this.#onObject(whole, this.#begin);
  }
}

/** White space, and the bytes between the objects of a list. */
const isBetween = (byte: number): boolean => byte <= 32 || [44, 91, 93].includes(byte);
