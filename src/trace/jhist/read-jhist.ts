import { InputError } from "../../base/input-error.ts";
import { isObject, type Json, type JsonObject, parseJson } from "../../base/json.ts";
import type { Note, Trace } from "../../history/model.ts";
import { Bound } from "../bound.ts";
import { ByteLines } from "../byte-lines.ts";
import { textOf } from "../byte-text.ts";
import { addSettings } from "../hadoop/conf.ts";
import { HADOOP_EVENTS_MAX } from "../hadoop/history.ts";
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
  readonly #bound: Bound;
  readonly #events = new HistoryEvents();
  readonly #lines = new ByteLines((bytes, from, to, line) => this.#line(bytes, from, to, line));
  #kept = new Uint8Array(0);
  #encoding: "unknown" | "json" | "schema" | "binary" = "unknown";
  #decoder: AvroDecoder | undefined;
  /** Lines, or events of a binary file, that cannot be read; the first of them. */
  #damaged = 0;
  #firstDamaged = 0;
  /** The number of the last line or event; that of the last line that is no JSON. */
  #last = 0;
  #noJson = 0;
  /** Whether the last line was the magic word. */
  #isHead = true;
  #headLines = 0;
  #isTooLong = false;

  /** `conf`: the text of the job's `conf.xml`, which has its settings. */
  constructor(place: string, conf = "", eventsMax: number = HADOOP_EVENTS_MAX) {
    this.#place = place;
    this.#conf = conf;
    this.#bound = new Bound(place, eventsMax);
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
    const isCut = this.#damaged === 1 && this.#noJson > 0 && this.#noJson === this.#last;
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
      const what = this.#encoding === "json" ? "line" : "event";
      const first = `${what} ${this.#firstDamaged}`;
      const all = this.#damaged === 1 ? first : `${this.#damaged} ${what}s, first ${first},`;
      notes.push({ kind: "damaged", text: `${all} cannot be read` });
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
      this.#last += 1;
      if (!this.#isApplied(found.value)) this.#damage();
    }
    this.#kept = this.#kept.slice(at);
  }

  #line(bytes: Uint8Array, from: number, to: number, line: number): void {
    const text = textOf(bytes, from, to).trim();
    // Lines are counted from the file's start.
    this.#last = line + this.#headLines;
    if (text === "") return;
    // A file that joins several histories has their heads within.
    const isHead = text === "Avro-Json";
    const mayBeSchema = this.#isHead;
    this.#isHead = isHead;
    if (isHead) return;
    const parsed = parseJson(text);
    if (!parsed.ok) this.#noJson = this.#last;
    if (parsed.ok && mayBeSchema && isSchema(parsed.value)) {
      this.#decoder = new AvroDecoder(parsed.value);
    } else if (!parsed.ok || !this.#isApplied(parsed.value)) this.#damage();
  }

  #damage(): void {
    this.#damaged += 1;
    if (this.#damaged === 1) this.#firstDamaged = this.#last;
  }

  /** False if the value is no event. */
  #isApplied(value: Json): boolean {
    this.#bound.count("events");
    if (!isObject(value)) return false;
    const type = textIn(value, "type");
    const event = objectIn(value, "event");
    if (type === undefined || event === undefined) return false;
    const fields = unwrapped(event);
    return isObject(fields) && this.#isWhole(type, event) && this.#events.apply(type, fields);
  }

  /** A torn write joins the beginning of a record and the end of another. */
  #isWhole(type: string, event: JsonObject): boolean {
    const [branch] = Object.entries(event);
    if (branch === undefined || !isObject(branch[1])) return true;
    const [name, record] = branch;
    return isRecordOf(type, name) && this.#decoder?.fits(name, record) !== false;
  }
}

/** The line after the magic word, unless it was lost. */
const isSchema = (value: Json): boolean => isObject(value) && value.event === undefined;

/** Whether a kind of events, such as MAP_ATTEMPT_STARTED, has records of this name. */
function isRecordOf(type: string, name: string): boolean {
  const [, what] = /^(?:MAP|REDUCE|SETUP|CLEANUP|TASK|JOB).*_(\w+)$/.exec(type) ?? [];
  const ends = ENDS_OF_NAMES.get(what ?? "");
  if (ends === undefined) return true;
  return ends.test(name) && type.includes("ATTEMPT") === name.includes("Attempt");
}

const ENDS_OF_NAMES: ReadonlyMap<string, RegExp> = new Map([
  ["STARTED", /Started$/],
  ["FINISHED", /Finished$/],
  ["FAILED", /(Failed|UnsuccessfulCompletion)$/],
  ["KILLED", /UnsuccessfulCompletion$/],
]);
