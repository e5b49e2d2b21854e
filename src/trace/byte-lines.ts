import type { Note } from "../history/model.ts";

const NEWLINE = 10;
const RETURN = 13;

/** Called with the bytes of a line, `from` inclusive to `to` exclusive, and its number from 1. */
export type OnLine = (bytes: Uint8Array, from: number, to: number, line: number) => void;

/**
 * How many bytes of a line that begins with these are wanted, 0 for none: a line that comes in
 * pieces is cut there.
 */
export type WantedBytes = (head: Uint8Array) => number;

/** V8 has no longer strings, and no character takes more bytes in memory than in UTF-8. */
const LINE_MAX = (1 << 29) - 25;
/** A line is asked for by its beginning. */
const HEAD = 256;

/**
 * Cuts bytes that come in pieces into lines; only a line across pieces is copied, once. A longer
 * line than `lineMax` is left out and counted.
 */
export class ByteLines {
  readonly #onLine: OnLine;
  readonly #wantedBytes: WantedBytes;
  readonly #lineMax: number;
  /** The pieces of a line that has not ended; empty if its bytes are left out. */
  #pieces: Uint8Array[] = [];
  #open: "nothing" | "kept" | "cut" | "left out" = "nothing";
  #keptBytes = 0;
  #wanted = Number.POSITIVE_INFINITY;
  #line = 0;
  #tooLong = 0;
  #firstTooLong = 0;

  constructor(
    onLine: OnLine,
    wantedBytes: WantedBytes = () => Number.POSITIVE_INFINITY,
    lineMax = LINE_MAX,
  ) {
    this.#onLine = onLine;
    this.#wantedBytes = wantedBytes;
    this.#lineMax = lineMax;
  }

  push(bytes: Uint8Array): void {
    let from = 0;
    if (this.#open !== "nothing") {
      const end = bytes.indexOf(NEWLINE);
      this.#keep(end < 0 ? bytes : bytes.subarray(0, end));
      if (end < 0) return;
      this.#emitKept();
      from = end + 1;
    }
    for (let end = bytes.indexOf(NEWLINE, from); end >= 0; end = bytes.indexOf(NEWLINE, from)) {
      this.#emit(bytes, from, end);
      from = end + 1;
    }
    if (from < bytes.length) this.#keep(bytes.subarray(from));
  }

  /** The last line, if it has no line end. */
  end(): void {
    if (this.#open !== "nothing") this.#emitKept();
  }

  /** Says which lines are too long to be read. */
  get notes(): readonly Note[] {
    if (this.#tooLong === 0) return [];
    const size = `longer than ${Math.floor(this.#lineMax / (1 << 20))} MB`;
    const lines = this.#tooLong === 1 ? "1 line is" : `${this.#tooLong} lines are`;
    const text = `${lines} ${size} and left out, first line ${this.#firstTooLong}`;
    return [{ kind: "dropped", text }];
  }

  #keep(bytes: Uint8Array): void {
    if (this.#open === "left out" || this.#open === "cut") return;
    const wasShort = this.#keptBytes < HEAD;
    this.#open = "kept";
    this.#pieces.push(bytes.slice());
    this.#keptBytes += bytes.length;
    if (wasShort && this.#keptBytes >= HEAD) this.#wanted = this.#wantedBytes(this.#joined());
    const isTooLong = this.#keptBytes > this.#lineMax;
    if (isTooLong) {
      this.#tooLong += 1;
      if (this.#tooLong === 1) this.#firstTooLong = this.#line + 1;
    }
    if (isTooLong || this.#wanted === 0) {
      this.#open = "left out";
      this.#pieces = [];
    } else if (this.#keptBytes > this.#wanted) this.#open = "cut";
  }

  #emitKept(): void {
    const isLeftOut = this.#open === "left out";
    const whole = this.#joined();
    this.#open = "nothing";
    this.#pieces = [];
    this.#keptBytes = 0;
    this.#wanted = Number.POSITIVE_INFINITY;
    if (isLeftOut) this.#line += 1;
    else this.#emit(whole, 0, whole.length);
  }

  #joined(): Uint8Array {
    const [only, another] = this.#pieces;
    if (only !== undefined && another === undefined) return only;
    const all = new Uint8Array(this.#keptBytes);
    let at = 0;
    for (const piece of this.#pieces) {
      all.set(piece, at);
      at += piece.length;
    }
    return all;
  }

  #emit(bytes: Uint8Array, from: number, to: number): void {
    this.#line += 1;
    const end = to > from && bytes[to - 1] === RETURN ? to - 1 : to;
    this.#onLine(bytes, from, end, this.#line);
  }
}
