const NEWLINE = 10;
const RETURN = 13;

/** Called with the bytes of a line, `from` inclusive to `to` exclusive, and its number from 1. */
export type OnLine = (bytes: Uint8Array, from: number, to: number, line: number) => void;

/** Cuts bytes that come in pieces into lines; only a line across two pieces is copied. */
export class ByteLines {
  readonly #onLine: OnLine;
  #kept = new Uint8Array(0);
  #line = 0;

  constructor(onLine: OnLine) {
    this.#onLine = onLine;
  }

  push(bytes: Uint8Array): void {
    let from = 0;
    if (this.#kept.length > 0) {
      const end = bytes.indexOf(NEWLINE);
      if (end < 0) {
        this.#kept = joined(this.#kept, bytes);
        return;
      }
      const whole = joined(this.#kept, bytes.subarray(0, end));
      this.#kept = new Uint8Array(0);
      this.#emit(whole, 0, whole.length);
      from = end + 1;
    }
    for (let end = bytes.indexOf(NEWLINE, from); end >= 0; end = bytes.indexOf(NEWLINE, from)) {
      this.#emit(bytes, from, end);
      from = end + 1;
    }
    if (from < bytes.length) this.#kept = bytes.slice(from);
  }

  /** The last line, if it has no line end. */
  end(): void {
    const kept = this.#kept;
    this.#kept = new Uint8Array(0);
    if (kept.length > 0) this.#emit(kept, 0, kept.length);
  }

  #emit(bytes: Uint8Array, from: number, to: number): void {
    this.#line += 1;
    const end = to > from && bytes[to - 1] === RETURN ? to - 1 : to;
    this.#onLine(bytes, from, end, this.#line);
  }
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(a.length + b.length);
  all.set(a);
  all.set(b, a.length);
  return all;
}
