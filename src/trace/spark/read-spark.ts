import { InputError } from "../../base/input-error.ts";
import { isObject, parseJson } from "../../base/json.ts";
import { ByteLines } from "../byte-lines.ts";
import { textOf } from "../byte-text.ts";
import type { Note, Trace } from "../model.ts";
import type { TraceReader } from "../reader.ts";
import { SparkApplication } from "./application.ts";
import { applicationTrace } from "./to-trace.ts";

/** Reads an event log of Spark, 1.2 to 4.1: a JSON object per line. */
export class SparkReader implements TraceReader {
  readonly #place: string;
  readonly #lines = new ByteLines((bytes, from, to, line) => this.#line(bytes, from, to, line));
  readonly #application = new SparkApplication();
  #lastLine = 0;
  #events = 0;
  /** Lines that are no JSON object; the first of them. */
  #damaged = 0;
  #firstDamaged = 0;

  /** `place`: the file's name, for errors. */
  constructor(place: string) {
    this.#place = place;
  }

  push(bytes: Uint8Array): void {
    this.#lines.push(bytes);
  }

  end(): Trace {
    this.#lines.end();
    if (this.#events === 0) {
      throw new InputError("bad-input", this.#place, "expected events of Spark, one JSON per line");
    }
    return applicationTrace(this.#application, this.#place, this.#notes());
  }

  #line(bytes: Uint8Array, from: number, to: number, line: number): void {
    this.#lastLine = line;
    if (from === to || isSkipped(bytes, from, to)) return;
    const parsed = parseJson(textOf(bytes, from, to));
    if (parsed.ok && isObject(parsed.value)) {
      this.#events += 1;
      this.#application.apply(parsed.value);
      return;
    }
    this.#damaged += 1;
    if (this.#damaged === 1) this.#firstDamaged = line;
  }

  #notes(): readonly Note[] {
    const notes: Note[] = [];
    const { incomplete, running, endedAt } = this.#application;
    if (this.#damaged === 1 && this.#firstDamaged === this.#lastLine) {
      notes.push({ kind: "cut-off", text: `line ${this.#lastLine} is cut off` });
    } else if (this.#damaged > 0) {
      const lines = this.#damaged === 1 ? "1 line is" : `${this.#damaged} lines are`;
      const text = `${lines} not JSON, first line ${this.#firstDamaged}`;
      notes.push({ kind: "damaged", text });
    }
    if (incomplete > 0) {
      const ends = incomplete === 1 ? "1 task end" : `${incomplete} task ends`;
      notes.push({ kind: "dropped", text: `${ends} without times left out` });
    }
    if (running.size > 0) {
      const tasks = running.size === 1 ? "1 task" : `${running.size} tasks`;
      notes.push({ kind: "cut-off", text: `${tasks} had not ended when the log did` });
    } else if (endedAt === undefined) {
      notes.push({ kind: "cut-off", text: "the application had not ended when the log did" });
    }
    return notes;
  }
}

/** Events without times that matter, some of them long: plans of SQL, updates of metrics. */
const SKIPPED = [
  "org.apache.spark.sql",
  "SparkListenerExecutorMetricsUpdate",
  "SparkListenerBlockU",
];
const SKIPPED_BYTES = SKIPPED.map((name) => Uint8Array.from(name, (char) => char.charCodeAt(0)));
const QUOTE = 34;

/** Looks at the value of the first key: `{"Event":"NAME`, with or without spaces. */
function isSkipped(bytes: Uint8Array, from: number, to: number): boolean {
  let at = from;
  for (let quotes = 0; quotes < 3 && at < to && at < from + 40; at++) {
    if (bytes[at] === QUOTE) quotes += 1;
  }
  return SKIPPED_BYTES.some((name) => name.every((byte, i) => bytes[at + i] === byte));
}
