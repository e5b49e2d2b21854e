import { InputError } from "../../base/input-error.ts";
import { isObject, type JsonObject, parseJson } from "../../base/json.ts";
import type { Note, Trace } from "../../history/model.ts";
import { Bound } from "../bound.ts";
import { ByteLines } from "../byte-lines.ts";
import { textOf } from "../byte-text.ts";
import { Unlisted } from "../inventory.ts";
import { textIn } from "../json-values.ts";
import type { TraceReader } from "../reader.ts";
import { isSame } from "../scan/byte-names.ts";
import { Applications } from "./applications.ts";
import { type EventFields, ParsedFields, ScannedFields } from "./event-fields.ts";
import { kindOf, SPARK_INVENTORY } from "./inventory.ts";
import { applicationsTrace } from "./to-trace.ts";

/** Reads an event log of Spark, 1.2 to 4.1: a JSON object per line. */
export class SparkReader implements TraceReader {
  readonly #place: string;
  readonly #lines = new ByteLines(
    (bytes, from, to, line) => this.#line(bytes, from, to, line),
    (head) => wantedBytes(kindOfLine(head, 0, head.length)),
  );
  readonly #applications = new Applications();
  readonly #fields = new ScannedFields();
  readonly #unlisted = new Unlisted(SPARK_INVENTORY);
  readonly #bound: Bound;
  #lastLine = 0;
  #events = 0;
  /** Lines that are no JSON object; the first of them. */
  #damaged = 0;
  #firstDamaged = 0;

  /** `place`: the file's name, for errors. `eventsMax`: of a kind that is kept. */
  constructor(place: string, eventsMax: number = EVENTS_MAX) {
    this.#place = place;
    this.#bound = new Bound(place, eventsMax);
  }

  push(bytes: Uint8Array): void {
    this.#lines.push(bytes);
  }

  end(): Trace {
    this.#lines.end();
    if (this.#events === 0) {
      throw new InputError("bad-input", this.#place, "expected events of Spark, one JSON per line");
    }
    const applications = this.#applications.end();
    this.#refuseMixed();
    const unread = this.#isCutOff ? 0 : this.#damaged;
    return applicationsTrace(applications, { file: this.#place, notes: this.#notes(), unread });
  }

  #refuseMixed(): void {
    const [first, ...others] = this.#applications.mixed.map(({ id, name }) => id ?? name);
    if (first === undefined) return;
    const expected = "expected all lines of an application before those of the next";
    const found = `lines of ${first} and ${others.join(", ")} are mixed`;
    throw new InputError("bad-input", this.#place, `${expected}, but ${found}: split the file`);
  }

  #line(bytes: Uint8Array, from: number, to: number, line: number): void {
    this.#lastLine = line;
    const kind = kindOfLine(bytes, from, to);
    if (from === to) return;
    if (kind === "skipped" || kind === "other") this.#unlisted.count(nameOfLine(bytes, from, to));
    if (kind === "skipped") return;
    this.#bound.count(kind === "other" ? "other events" : `events of a ${kind}`);
    const isShort = to - from < LOOKED_AT_MAX;
    if (kind !== "other" && isShort && this.#unlisted.wants(kind)) {
      this.#look(kind, bytes, from, to);
    }
    if (kind !== "other" && this.#fields.scan(bytes, from, to)) {
      this.#events += 1;
      this.#apply(kind, this.#fields);
      return;
    }
    const isCut = to - from > wantedBytes(kind);
    const parsed = parseJson(isCut ? withoutPlan(bytes, from, to) : textOf(bytes, from, to));
    if (parsed.ok && isObject(parsed.value)) {
      this.#events += 1;
      if (kind === "other") this.#applyOther(parsed.value);
      else this.#apply(kind, new ParsedFields(parsed.value));
      return;
    }
    this.#damaged += 1;
    if (this.#damaged === 1) this.#firstDamaged = line;
  }

  /** A look at all fields of some events, of which the scanner sees those that are read. */
  #look(kind: ScannedKind, bytes: Uint8Array, from: number, to: number): void {
    const parsed = parseJson(textOf(bytes, from, to));
    const event = parsed.ok && isObject(parsed.value) ? parsed.value : {};
    this.#unlisted.look(kindOf(textIn(event, "Event") ?? ""), event, "Event");
    // The sample is counted by the kind of line, which the scanner knows.
    this.#unlisted.look(kind, {});
  }

  #applyOther(event: JsonObject): void {
    this.#unlisted.look(kindOf(textIn(event, "Event") ?? ""), event, "Event");
    this.#applications.apply(event);
  }

  #apply(kind: ScannedKind, fields: EventFields): void {
    const applications = this.#applications;
    switch (kind) {
      case "task end":
        applications.endTask(fields);
        break;
      case "task start":
        applications.startTask(fields);
        break;
      case "stage":
        applications.current.readStage(fields);
        break;
      case "job start":
        applications.current.startJob(fields);
        break;
      case "job end":
        applications.current.endJob(fields);
        break;
      case "query start":
        applications.current.readQuery(fields, "start");
        break;
      case "query plan":
        applications.current.readQuery(fields, "plan");
        break;
      case "query end":
        applications.current.readQuery(fields, "end");
        break;
    }
  }

  /** Whether the last line alone cannot be read. */
  get #isCutOff(): boolean {
    return this.#damaged === 1 && this.#firstDamaged === this.#lastLine;
  }

  #notes(): readonly Note[] {
    const notes: Note[] = [...this.#lines.notes, ...this.#unlisted.notes];
    if (this.#isCutOff) {
      notes.push({ kind: "cut-off", text: `line ${this.#lastLine} is cut off` });
    } else if (this.#damaged > 0) {
      const lines = this.#damaged === 1 ? "1 line is" : `${this.#damaged} lines are`;
      const text = `${lines} not JSON, first line ${this.#firstDamaged}`;
      notes.push({ kind: "damaged", text });
    }
    return notes;
  }
}

/** An attempt takes 300 bytes, so that as many take less than 2 GB. */
const EVENTS_MAX = 5_000_000;

type ScannedKind =
  | "task end"
  | "task start"
  | "stage"
  | "job start"
  | "job end"
  | "query start"
  | "query plan"
  | "query end";
type LineKind = ScannedKind | "skipped" | "other";

/**
 * By the beginning of the event's name. Skipped events have no times that matter.
 */
const KINDS: readonly (readonly [name: string, kind: LineKind])[] = [
  ["SparkListenerTaskEnd", "task end"],
  ["SparkListenerTaskStart", "task start"],
  ["SparkListenerStageSubmitted", "stage"],
  ["SparkListenerStageCompleted", "stage"],
  ["SparkListenerJobStart", "job start"],
  ["SparkListenerJobEnd", "job end"],
  ["org.apache.spark.sql.execution.ui.SparkListenerSQLExecutionStart", "query start"],
  ["org.apache.spark.sql.execution.ui.SparkListenerSQLAdaptiveExecutionUpdate", "query plan"],
  ["org.apache.spark.sql.execution.ui.SparkListenerSQLExecutionEnd", "query end"],
  ["org.apache.spark.sql", "skipped"],
  ["SparkListenerExecutorMetricsUpdate", "skipped"],
  ["SparkListenerBlockU", "skipped"],
];
const KINDS_BY_BYTES = KINDS.map(([name, kind]) => ({
  name: Uint8Array.from(name, (char) => char.charCodeAt(0)),
  kind,
}));

/** The plan of a query may have any length; of a long line the query's name is enough. */
const QUERY_MAX = 16 << 20;
/** A longer line is not looked through for unknown fields. */
const LOOKED_AT_MAX = 1 << 20;

function wantedBytes(kind: LineKind): number {
  if (kind === "skipped") return 0;
  return kind.startsWith("query") ? QUERY_MAX : Number.POSITIVE_INFINITY;
}

/** What stands before the plan in the line of a query, as an object. */
function withoutPlan(bytes: Uint8Array, from: number, to: number): string {
  const head = textOf(bytes, from, Math.min(to, from + LOOKED_AT_MAX));
  const at = head.search(/\s*,\s*"(physicalPlanDescription|sparkPlanInfo)"\s*:/);
  return at < 0 ? "{}" : `${head.slice(0, at)}}`;
}

const QUOTE = 34;
/** The first key and its value begin within this many bytes. */
const HEAD = 40;
/** No kind of event has a longer name, with its package. */
const NAME_MAX = 200;

/** The kind of the event, without its package. */
function nameOfLine(bytes: Uint8Array, from: number, to: number): string {
  const head = textOf(bytes, from, Math.min(to, from + NAME_MAX));
  return kindOf(/^\s*\{\s*"Event"\s*:\s*"([^"]*)"/.exec(head)?.[1] ?? "");
}

/** Looks at the value of the first key: `{"Event":"NAME`, with or without spaces. */
function kindOfLine(bytes: Uint8Array, from: number, to: number): LineKind {
  let at = from;
  for (let quotes = 0; quotes < 3 && at < to && at < from + HEAD; at++) {
    if (bytes[at] === QUOTE) quotes += 1;
  }
  for (const { name, kind } of KINDS_BY_BYTES) {
    if (isSame(name, bytes, at, at + name.length)) return kind;
  }
  return "other";
}
