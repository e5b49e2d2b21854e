import { InputError } from "../../base/input-error.ts";
import { isObject, type Json, parseJson } from "../../base/json.ts";
import type { Note, Trace } from "../../history/model.ts";
import { ByteLines } from "../byte-lines.ts";
import { textOf } from "../byte-text.ts";
import { addSettings } from "../hadoop/conf.ts";
import { hadoopTrace } from "../hadoop/to-trace.ts";
import { objectIn, textIn } from "../json-values.ts";
import type { TraceReader } from "../reader.ts";
import { AvroDecoder } from "./avro.ts";
import { HistoryEvents, unwrapped } from "./events.ts";

const NEWLINE = 10;
/** A head or a binary event is shorter; each piece that comes looks for its end again. */
const KEPT_MAX = 64 << 20;

/** Reads a job history file of Hadoop 0.23 to 3.5: Avro as JSON, or binary. */
export class JobHistoryReader implements TraceReader {
  readonly #place: string;
  readonly #conf: string;
  readonly #events = new HistoryEvents();
  readonly #lines = new ByteLines((bytes, from, to, line) => this.#line(bytes, from, to, line));
  #kept = new Uint8Array(0);
  #encoding: "unknown" | "json" | "schema" | "binary" = "unknown";
  #decoder: AvroDecoder | undefined;
  /** Lines that cannot be read; the first of them. */
  #damaged = 0;
  #damagedLine = 0;
  #lastLine = 0;
  #headLines = 0;
  #isTooLong = false;

  /** `conf`: the text of the job's `conf.xml`, which has its settings. */
  constructor(place: string, conf = "") {
    this.#place = place;
    this.#conf = conf;
  }

  push(bytes: Uint8Array): void {
    if (this.#encoding === "json") {
      this.#lines.push(bytes);
      return;
    }
    if (this.#isTooLong) return;
    const all = new Uint8Array(this.#kept.length + bytes.length);
    all.set(this.#kept);
    all.set(bytes, this.#kept.length);
    this.#kept = all;
    this.#readHead();
    if (this.#encoding === "binary") this.#readBinary();
    if (this.#kept.length <= KEPT_MAX) return;
    this.#isTooLong = true;
    this.#kept = new Uint8Array(0);
  }

  end(): Trace {
    this.#lines.end();
    const { jobs } = this.#events;
    const [job] = jobs;
    if (job === undefined) {
      throw new InputError("bad-input", this.#place, "expected events of a Hadoop job");
    }
    addSettings(this.#conf, job.settings);
    const isCut = this.#damaged === 1 && this.#damagedLine === this.#lastLine;
    const isLeft = this.#isTooLong || this.#kept.length > 0;
    const unread = (isCut ? 0 : this.#damaged) + (isLeft ? 1 : 0);
    const source = { format: "jhist", file: this.#place, notes: this.#notes(), unread } as const;
    return hadoopTrace(jobs, source);
  }

  #notes(): readonly Note[] {
    const notes: Note[] = [...this.#lines.notes];
    if (this.#isTooLong) {
      const size = `longer than ${KEPT_MAX / (1 << 20)} MB`;
      notes.push({ kind: "damaged", text: `an event is ${size}; what follows it is left out` });
    }
    if (this.#damaged > 0) {
      const first = `line ${this.#damagedLine}`;
      const lines = this.#damaged === 1 ? first : `${this.#damaged} lines, first ${first},`;
      notes.push({ kind: "damaged", text: `${lines} cannot be read` });
    }
    if (this.#kept.length > 0) {
      const text = `the last ${this.#kept.length} bytes are cut off or damaged`;
      notes.push({ kind: "damaged", text });
    }
    return [...notes, ...this.#events.unlisted.notes];
  }

  /** The magic line, after comments and blank lines; then, for binary files, the schema's line. */
  #readHead(): void {
    while (this.#encoding === "unknown" || this.#encoding === "schema") {
      const end = this.#kept.indexOf(NEWLINE);
      if (end < 0) return;
      const text = textOf(this.#kept, 0, end).trim();
      this.#kept = this.#kept.slice(end + 1);
      this.#headLines += 1;
      if (this.#encoding === "schema") {
        this.#readSchema(text);
        return;
      }
      if (text === "Avro-Binary") this.#encoding = "schema";
      if (text !== "Avro-Json") continue;
      this.#encoding = "json";
      const rest = this.#kept;
      this.#kept = new Uint8Array(0);
      this.#lines.push(rest);
    }
  }

  #readSchema(text: string): void {
    const parsed = parseJson(text);
    if (!parsed.ok) {
      throw new InputError(
        "bad-input",
        `${this.#place}:${this.#headLines}`,
        "expected Avro's schema",
      );
    }
    this.#decoder = new AvroDecoder(parsed.value);
    this.#encoding = "binary";
  }

  #readBinary(): void {
    let at = 0;
    for (;;) {
      const found = this.#decoder?.decode(this.#kept, at);
      if (found === undefined || found.end > this.#kept.length) break;
      at = found.end;
      this.#apply(found.value);
    }
    this.#kept = this.#kept.slice(at);
  }

  #line(bytes: Uint8Array, from: number, to: number, line: number): void {
    const text = textOf(bytes, from, to).trim();
    // Lines are counted from the file's start.
    this.#lastLine = line + this.#headLines;
    // A file that joins several histories has their heads within.
    if (text === "" || text === "Avro-Json" || text.startsWith('{"type":"record"')) return;
    const parsed = parseJson(text);
    if (parsed.ok) this.#apply(parsed.value);
    else {
      this.#damaged += 1;
      if (this.#damaged === 1) this.#damagedLine = this.#lastLine;
    }
  }

  #apply(value: Json): void {
    if (!isObject(value)) return;
    const type = textIn(value, "type");
    const event = unwrapped(objectIn(value, "event") ?? null);
    if (type === undefined || !isObject(event)) return;
    this.#events.apply(type, event);
  }
}
