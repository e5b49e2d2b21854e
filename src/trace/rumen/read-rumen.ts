import { InputError } from "../../base/input-error.ts";
import { isObject, parseJson } from "../../base/json.ts";
import type { Note, Trace } from "../../history/model.ts";
import { Bound } from "../bound.ts";
import { textOf } from "../byte-text.ts";
import { attemptsIn, HADOOP_EVENTS_MAX, type HadoopJob } from "../hadoop/history.ts";
import { hadoopTrace } from "../hadoop/to-trace.ts";
import type { TraceReader } from "../reader.ts";
import { jobIn } from "./job-object.ts";

/** Reads a job trace of Rumen: objects of JSON one after another, one for each job. */
export class RumenReader implements TraceReader {
  readonly #place: string;
  readonly #bound: Bound;
  readonly #jobs: HadoopJob[] = [];
  readonly #objects = new JsonObjects((bytes, line) => this.#object(bytes, line));
  /** The first lines of objects that are no jobs. */
  readonly #damaged: number[] = [];
  /** Attempts under another task. */
  #strays = 0;
  readonly #onStray = (): void => {
    this.#strays += 1;
  };

  /** `attemptsMax`: of all jobs; an attempt stands for its start and its end. */
  constructor(place: string, attemptsMax: number = HADOOP_EVENTS_MAX / 2) {
    this.#place = place;
    this.#bound = new Bound(place, attemptsMax);
  }

  push(bytes: Uint8Array): void {
    this.#objects.push(bytes);
  }

  end(): Trace {
    const { isOpen, beginLine, strayLine } = this.#objects;
    const [first = strayLine] = this.#damaged;
    const notes: Note[] = [];
    if (isOpen) {
      notes.push({ kind: "cut-off", text: `the job that begins at line ${beginLine} is cut off` });
    }
    if (first > 0) notes.push({ kind: "damaged", text: `line ${first} begins no job of Rumen` });
    if (this.#strays > 0) {
      const text = `attempts that stand under another task, and are left out: ${this.#strays}`;
      notes.push({ kind: "damaged", text });
    }
    if (this.#jobs.length === 0) {
      const line = first > 0 ? first : beginLine;
      const expected = 'expected a whole job of Rumen: an object with "jobID"';
      throw new InputError("bad-input", `${this.#place}:${line}`, expected);
    }
    const unread = this.#damaged.length + this.#strays + (strayLine > 0 ? 1 : 0);
    return hadoopTrace(this.#jobs, { format: "rumen", file: this.#place, notes, unread });
  }

  #object(bytes: Uint8Array, line: number): void {
    const parsed = parseJson(textOf(bytes));
    const job =
      parsed.ok && isObject(parsed.value) ? jobIn(parsed.value, this.#onStray) : undefined;
    if (job === undefined) this.#damaged.push(line);
    else {
      // A job without attempts takes memory, too.
      this.#bound.count("attempts", Math.max(1, attemptsIn(job)));
      this.#jobs.push(job);
    }
  }
}

const QUOTE = 34;
const BACKSLASH = 92;
const [OPEN_BRACE, CLOSE_BRACE] = [123, 125];
const NEWLINE = 10;

const OBJECT_MAX = (1 << 29) - 25;

/** Called with the bytes of an object, and the number of the line on which it begins. */
type OnObject = (bytes: Uint8Array, line: number) => void;

/**
 * Cuts bytes that come in pieces into their top-level JSON objects, by brackets: one object of the
 * file is in memory at a time.
 */
class JsonObjects {
  readonly #onObject: OnObject;
  #kept: Uint8Array[] = [];
  #keptBytes = 0;
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
    if (this.#depth === 0) return;
    this.#keptBytes += bytes.length - from;
    // Of a longer object than V8's longest string only the end is looked for.
    if (this.#keptBytes > OBJECT_MAX) this.#kept = [];
    else this.#kept.push(bytes.slice(from));
  }

  #inText(byte: number): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (byte === BACKSLASH) this.#isEscaped = true;
    else if (byte === QUOTE) this.#isText = false;
  }

  #emit(last: Uint8Array): void {
    const pieces = this.#keptBytes > OBJECT_MAX ? [] : [...this.#kept, last];
    this.#kept = [];
    this.#keptBytes = 0;
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
