import { setImmediate } from "node:timers/promises";
import { InputError } from "../../base/input-error.ts";
import { afterLine, OPEN_BYTES_MAX } from "./csv-quotes.ts";
import { type FileState, InputFile } from "./input-file.ts";

/** Small: Node keeps the characters of long strings outside the heap until a full collection. */
const WINDOW_BYTES = 64 * 1024;
/**
 * After this many bytes the walk yields to the event loop, since the process may have nodes to
 * listen to.
 */
const TURN_BYTES = 16 * 1024 * 1024;
/** A string can hold no more than twice this. */
const WINDOW_BYTES_MAX = 256 * 1024 * 1024;

/**
 * For each of these rising places in a CSV file, the start of the first record at or after it. Only
 * reading from the file's start shows whether a line end ends a record or lies within a quoted
 * field.
 */
export async function csvStarts(
  file: FileState,
  places: readonly number[],
  separator: string,
): Promise<readonly number[]> {
  // A file with one split needs no walk.
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

/** Walks from record to record, malformed ones included, as a reader of the whole file does. */
class RecordWalk {
  readonly #file: InputFile;
  readonly #separator: string;
  /** Bytes of the byte-order mark at the file's start. */
  readonly #markBytes: number;
  /** The place of a record's start. */
  at: number;
  #room = Buffer.alloc(WINDOW_BYTES);
  /** The bytes of the file from `#base` on. */
  #bytes = this.#room;
  #base = 0;
  /**
   * These bytes as characters, decoded if they hold a quote: many short stretches are read then.
   */
  #text: string | undefined;

  constructor(file: InputFile, separator: string) {
    this.#file = file;
    this.#separator = separator;
    this.#read(0, WINDOW_BYTES);
    this.#markBytes = MARK.equals(this.#bytes.subarray(0, MARK.length)) ? MARK.length : 0;
    this.at = this.#markBytes;
  }

  /**
   * Walks to the first record that starts at or after the place, or to the file's end; returns
   * false if the walk needs more turns.
   */
  reaches(place: number): boolean {
    // The byte-order mark belongs to the first record.
    const wanted = place === 0 ? 0 : Math.max(place, this.#markBytes + 1);
    const turnEnd = this.at + TURN_BYTES;
    while (this.at < wanted && this.at < this.#file.bytes) {
      if (this.at > turnEnd) return false;
      this.at = this.#next(wanted);
    }
    return true;
  }

  /** A later start of a record; not past the place where lines without quotes lead there. */
  #next(place: number): number {
    const at = this.at - this.#base;
    const quote = this.#text?.indexOf('"', at) ?? -1;
    // Up to here, each line is a record.
    const plainEnd = this.#newlineBefore(quote < 0 ? this.#bytes.length : quote) + 1;
    if (plainEnd > at) {
      const end = this.#newline(Math.max(at, place - 1 - this.#base)) + 1;
      return this.#base + (end > 0 && end < plainEnd ? end : plainEnd);
    }
    return quote < 0 && this.#more() ? this.at : this.#recordEnd();
  }

  /**
   * The place after the record at `at`; if the record is malformed, the place after its first line.
   */
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

  /** The first line end in the window from there on; -1 if there is none. */
  #newline(from: number): number {
    return this.#text?.indexOf("\n", from) ?? this.#bytes.indexOf(NEWLINE, from);
  }

  /** The last line end that is not after `last`. */
  #newlineBefore(last: number): number {
    return this.#text?.lastIndexOf("\n", last) ?? this.#bytes.lastIndexOf(NEWLINE, last);
  }

  /** Reads more, and drops the bytes before `at`; returns false at the file's end. */
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
