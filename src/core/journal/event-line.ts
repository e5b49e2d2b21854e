import { never } from "../../base/assert.ts";
import type { Output } from "../../model/attempt.ts";
import { ATTEMPT_KINDS } from "../../model/attempt.ts";
import {
  type AttemptEvent,
  type ClusterEvent,
  FAILURE_CAUSES,
  type JobEvent,
  type NodeEvent,
  type OutputEvent,
  type RefusalEvent,
} from "../../model/event.ts";
import { type Instant, instant, nodeId } from "../../model/ids.ts";
import { type Fields, written } from "./fields.ts";
import type { JobLines } from "./job-line.ts";
import type { JsonObject } from "./json.ts";
import { readProgress, writeProgress } from "./progress-field.ts";
import type { Words } from "./words.ts";

/** Events as the first fields of a line, and back. Names are learned on the way. */
export class EventLines {
  readonly #words: Words;
  readonly #jobs: JobLines;

  constructor(words: Words, jobs: JobLines) {
    this.#words = words;
    this.#jobs = jobs;
  }

  write(event: ClusterEvent): JsonObject {
    return { at: event.at, event: event.kind, ...this.#write(event) };
  }

  read(fields: Fields): ClusterEvent {
    const at = instant(fields.number("at"));
    const kind = fields.oneOf("event", EVENT_KINDS);
    return { at, ...this.#read(kind, fields) };
  }

  #write(event: ClusterEvent): JsonObject {
    switch (event.kind) {
      case "node-joined":
      case "node-silent":
      case "node-heard":
      case "node-left":
      case "slots-offered":
        return this.#writeNode(event);
      case "job-submitted":
      case "job-killed":
        return this.#writeJob(event);
      case "attempt-started":
      case "attempt-progressed":
      case "attempt-succeeded":
      case "attempt-failed":
      case "attempt-killed":
        return this.#writeAttempt(event);
      case "fetch-failed":
      case "output-lost":
      case "output-replicated":
        return this.#writeOutput(event);
      case "launch-refused":
      case "request-refused":
        return this.#writeRefusal(event);
      case "links-sampled": {
        const { upBytesPerMs, downBytesPerMs } = event;
        return {
          rack: this.#words.rack(event.rack),
          upBytesPerMs: written(upBytesPerMs),
          downBytesPerMs: written(downBytesPerMs),
        };
      }
      case "sharing-tuned":
        return { parameter: event.parameter, value: event.value };
      case "woken":
        return {};
      default:
        return never(event);
    }
  }

  #writeNode(event: NodeEvent): JsonObject {
    const { names } = this.#words;
    switch (event.kind) {
      case "node-joined": {
        const { id, name, rack, slots } = event.node;
        const isNext = id === names.nextNode || names.node(id) === name;
        names.addNode(id, name);
        return {
          node: name,
          ...(isNext ? {} : { id }),
          rack: this.#words.rack(rack),
          slots: this.#words.slots(slots),
        };
      }
      case "node-silent":
        return { node: names.node(event.node), since: event.since };
      case "node-heard":
      case "node-left":
        return { node: names.node(event.node) };
      case "slots-offered":
        return { node: names.node(event.node), free: this.#words.slots(event.free) };
      default:
        return never(event);
    }
  }

  #writeJob(event: JobEvent): JsonObject {
    if (event.kind === "job-killed") return { job: this.#words.names.job(event.job) };
    const line = this.#jobs.write(event.job);
    this.#words.names.addJob(event.job);
    return line;
  }

  #writeAttempt(event: AttemptEvent): JsonObject {
    const { names } = this.#words;
    switch (event.kind) {
      case "attempt-started":
        names.addAttempt(event.attempt, event.task, event.node);
        return {
          attempt: names.attempt(event.attempt),
          ...(names.hasAttempt(event.attempt) ? {} : { task: names.task(event.task) }),
          node: names.node(event.node),
          as: event.as,
          ...(event.request === undefined ? {} : { request: this.#words.request(event.request) }),
          progress: writeProgress(event.progress),
        };
      case "attempt-progressed":
        return { attempt: names.attempt(event.attempt), progress: writeProgress(event.progress) };
      case "attempt-succeeded":
        return { attempt: names.attempt(event.attempt), ...writeOutput(event.output) };
      case "attempt-failed":
        return { attempt: names.attempt(event.attempt), cause: event.cause };
      case "attempt-killed":
        return { attempt: names.attempt(event.attempt), by: event.by };
      default:
        return never(event);
    }
  }

  #writeOutput(event: OutputEvent): JsonObject {
    const { names } = this.#words;
    if (event.kind !== "fetch-failed") {
      return { task: names.task(event.task), node: names.node(event.node) };
    }
    return {
      reader: names.attempt(event.reader),
      output: names.task(event.output),
      from: names.node(event.from),
    };
  }

  #writeRefusal(event: RefusalEvent): JsonObject {
    const { names } = this.#words;
    const refused =
      event.kind === "request-refused"
        ? { request: this.#words.request(event.request) }
        : { attempt: names.attempt(event.attempt) };
    return { ...refused, reason: event.reason };
  }

  #read(kind: ClusterEvent["kind"], fields: Fields): Timeless {
    const words = this.#words;
    switch (kind) {
      case "node-joined":
        return this.#readJoined(fields);
      case "node-silent":
        return {
          kind,
          node: words.readNode(fields, "node"),
          since: instant(fields.number("since")),
        };
      case "node-heard":
      case "node-left":
        return { kind, node: words.readNode(fields, "node") };
      case "slots-offered":
        return {
          kind,
          node: words.readNode(fields, "node"),
          free: words.readSlots(fields, "free"),
        };
      case "job-submitted": {
        const job = this.#jobs.read(fields);
        words.names.addJob(job);
        return { kind, job };
      }
      case "job-killed":
        return { kind, job: words.readJob(fields, "job") };
      case "attempt-started":
      case "attempt-progressed":
      case "attempt-succeeded":
      case "attempt-failed":
      case "attempt-killed":
        return this.#readAttempt(kind, fields);
      case "fetch-failed":
        return {
          kind,
          reader: words.readAttempt(fields, "reader"),
          output: words.readTask(fields, "output"),
          from: words.readNode(fields, "from"),
        };
      case "output-lost":
      case "output-replicated":
        return { kind, task: words.readTask(fields, "task"), node: words.readNode(fields, "node") };
      case "launch-refused":
        return {
          kind,
          attempt: words.readAttempt(fields, "attempt"),
          reason: fields.text("reason"),
        };
      case "request-refused":
        return {
          kind,
          request: words.readRequest(fields, "request"),
          reason: fields.text("reason"),
        };
      case "links-sampled":
        return {
          kind,
          rack: words.readRack(fields, "rack"),
          upBytesPerMs: fields.number("upBytesPerMs"),
          downBytesPerMs: fields.number("downBytesPerMs"),
        };
      case "sharing-tuned":
        return { kind, parameter: fields.text("parameter"), value: fields.text("value") };
      case "woken":
        return { kind };
      default:
        return never(kind);
    }
  }

  #readJoined(fields: Fields): Timeless {
    const { names } = this.#words;
    const name = fields.text("node");
    const next = fields.has("id") ? fields.number("id") : names.nextNode;
    const id = names.nodeNamed(name) ?? nodeId(next);
    names.addNode(id, name);
    return {
      kind: "node-joined",
      node: {
        id,
        name,
        rack: this.#words.readRack(fields, "rack"),
        slots: this.#words.readSlots(fields, "slots"),
      },
    };
  }

  #readAttempt(kind: AttemptEvent["kind"], fields: Fields): Timeless {
    const words = this.#words;
    if (kind === "attempt-started") {
      const { id, task } = fields.has("task")
        ? { id: words.readAttempt(fields, "attempt"), task: words.readTask(fields, "task") }
        : words.readNewAttempt(fields, "attempt");
      const node = words.readNode(fields, "node");
      words.names.addAttempt(id, task, node);
      return {
        kind,
        attempt: id,
        task,
        node,
        as: fields.oneOf("as", ATTEMPT_KINDS),
        progress: readProgress(fields.fields("progress")),
        ...(fields.has("request") ? { request: words.readRequest(fields, "request") } : {}),
      };
    }
    const attempt = words.readAttempt(fields, "attempt");
    switch (kind) {
      case "attempt-progressed":
        return { kind, attempt, progress: readProgress(fields.fields("progress")) };
      case "attempt-succeeded":
        return { kind, attempt, output: readOutput(fields) };
      case "attempt-failed":
        return { kind, attempt, cause: fields.oneOf("cause", FAILURE_CAUSES) };
      case "attempt-killed":
        return { kind, attempt, by: fields.oneOf("by", KILLERS) };
      default:
        return never(kind);
    }
  }
}

/** An event without its time. */
type Timeless = ClusterEvent extends infer Event
  ? Event extends { readonly at: Instant }
    ? Omit<Event, "at">
    : never
  : never;

const KILLERS = ["us", "node-lost", "host"] as const;

const EVENT_KINDS: readonly ClusterEvent["kind"][] = [
  "node-joined",
  "node-silent",
  "node-heard",
  "node-left",
  "slots-offered",
  "job-submitted",
  "job-killed",
  "attempt-started",
  "attempt-progressed",
  "attempt-succeeded",
  "attempt-failed",
  "attempt-killed",
  "fetch-failed",
  "output-lost",
  "output-replicated",
  "launch-refused",
  "request-refused",
  "links-sampled",
  "sharing-tuned",
  "woken",
];

function writeOutput({ bytes, records, byPartition }: Output): JsonObject {
  return { bytes, records, ...(byPartition === undefined ? {} : { byPartition }) };
}

function readOutput(fields: Fields): Output {
  return {
    bytes: fields.number("bytes"),
    records: fields.number("records"),
    ...(fields.has("byPartition") ? { byPartition: fields.numbers("byPartition") } : {}),
  };
}
