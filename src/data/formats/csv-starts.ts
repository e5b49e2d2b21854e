import { setImmediate } from "node:timers/promises";
import { InputError } from "../../base/input-error.ts";
import { afterLine, OPEN_BYTES_MAX } from "./csv-quotes.ts";
import { type FileState, InputFile } from "./input-file.ts";

/** Small: node keeps the characters of long strings outside the heap until a full collection. */
const WINDOW_BYTES = 64 * 1024;
/** After so many, others are let in: the process may have nodes to listen to. */
const TURN_BYTES = 16 * 1024 * 1024;
/** A string holds no more than twice as much. */
const WINDOW_BYTES_MAX = 256 * 1024 * 1024;

/**
 * Of a CSV file, where behind each of these rising places the next record starts. Whether a line
 * end is one of a record or one within a quoted field can be known only from the file's start on.
 */
export async function csvStarts(
  file: FileState,
  places: readonly number[],
  separator: string,
): Promise<readonly number[]> {
  // A file of one split needs no look.
  if (places.length <= 1) return places;
  const input = new InputFile(file);
  try {
    const walk = new RecordWalk(input, Buffer.from(separator).toString("latin1"));
    const starts: number[] = [];
    for (const place of places) {
      while (!walk.reaches(place)) await setImmediate();
      starts.push(place === 0 ? 0 : walk.at);
    }
    return starts;
  } finally {
    input.close();
  }
}

const MARK = Buffer.from([0xef, 0xbb, 0xbf]);
const NEWLINE = 0x0a;
const QUOTE = 0x22;

/** From record to record, malformed ones included, as a reader of the whole file goes. */
class RecordWalk {
  readonly #file: InputFile;
  readonly #separator: string;
  /** Bytes of the mark at the file's start that says that it is UTF-8. */
  readonly #markBytes: number;
  /** Where a record starts. */
  at: number;
  #room = Buffer.alloc(WINDOW_BYTES);
  /** Bytes of the file from `#base` on. */
  #bytes = this.#room;
  #base = 0;
  /** The same as characters, if there is a quote among them: then many short stretches are met. */
  #text: string | undefined;

  constructor(file: InputFile, separator: string) {
    this.#file = file;
    this.#separator = separator;
    this.#read(0, WINDOW_BYTES);
    this.#markBytes = MARK.equals(this.#bytes.subarray(0, MARK.length)) ? MARK.length : 0;
    this.at = this.#markBytes;
  }

  /**
   * Walks on until it is at the first record that starts at the place or behind it, or at the
   * file's end; false: it is still on its way.
   */
  reaches(place: number): boolean {
    // The first record begins with the mark.
    const wanted = place === 0 ? 0 : Math.max(place, this.#markBytes + 1);
    const turnEnd = this.at + TURN_BYTES;
    while (this.at < wanted && this.at < this.#file.bytes) {
      if (this.at > turnEnd) return false;
      this.at = this.#next(wanted);
    }
    return true;
  }

  /** A later start of a record, at the place at most where lines without quotes lead there. */
  #next(place: number): number {
    const at = this.at - this.#base;
    const quote = this.#text?.indexOf('"', at) ?? -1;
    // Up to here, lines are records.
    const plainEnd = this.#newlineBefore(quote < 0 ? this.#bytes.length : quote) + 1;
    if (plainEnd > at) {
      const end = this.#newline(Math.max(at, place - 1 - this.#base)) + 1;
      return this.#base + (end > 0 && end < plainEnd ? end : plainEnd);
    }
    return quote < 0 && this.#more() ? this.at : this.#recordEnd();
  }

  /** Behind the record at `at`; if it is malformed, behind the first of its lines. */
  #recordEnd(): number {
    let firstEnd: number | undefined;
    for (let start = this.at, isOpen = false; ; ) {
      const end = this.#lineEnd(start);
      const line = this.#slice(start - this.#base, end - this.#base);
      firstEnd ??= end;
      const after = afterLine(line, this.#separator, isOpen);
      if (after === "whole") return end;
      const isTooLong = end - this.at > OPEN_BYTES_MAX || end === this.#file.bytes;
      if (after === "misplaced" || isTooLong) return firstEnd;
      isOpen = true;
      start = end;
    }
  }

  #lineEnd(start: number): number {
    for (;;) {
      const end = this.#newline(start - this.#base);
      if (end >= 0) return this.#base + end + 1;
      if (!this.#more()) return this.#file.bytes;
    }
  }

  #slice(from: number, end: number): string {
    return this.#text?.slice(from, end) ?? this.#bytes.toString("latin1", from, end);
  }

  /** The first from there on in the window; -1: there is none. */
  #newline(from: number): number {
    return this.#text?.indexOf("\n", from) ?? this.#bytes.indexOf(NEWLINE, from);
  }

  /** The last that is not behind it. */
  #newlineBefore(last: number): number {
    return this.#text?.lastIndexOf("\n", last) ?? this.#bytes.lastIndexOf(NEWLINE, last);
  }

  /** Reads on, and forgets what is before `at`; false at the file's end. */
  #more(): boolean {
    const had = this.#base + this.#bytes.length;
    if (had === this.#file.bytes) return false;
    this.#read(this.at, Math.max(WINDOW_BYTES, 2 * (had - this.at)));
    return true;
  }

  #read(from: number, bytes: number): void {
    if (bytes > WINDOW_BYTES_MAX) {
      const expected = `expected a line end within ${WINDOW_BYTES_MAX / 2} bytes`;
      throw new InputError("bad-input", `${this.#file.path}: byte ${from}`, expected);
    }
    const end = Math.min(from + bytes, this.#file.bytes);
    if (this.#room.length < bytes) this.#room = Buffer.alloc(bytes);
    this.#bytes = this.#room.subarray(0, end - from);
    this.#file.sliceInto(this.#bytes, from, end);
    this.#text = this.#bytes.includes(QUOTE) ? this.#bytes.toString("latin1") : undefined;
    this.#base = from;
  }
}
