import { never } from "../../base/assert.ts";
import type { Action, JobOutcome, KillThen } from "../../model/action.ts";
import { ATTEMPT_KINDS, type Where } from "../../model/attempt.ts";
import { instant } from "../../model/ids.ts";
import type { Why } from "../../model/why.ts";
import { type Fields, numberFrom, written } from "./fields.ts";
import type { Json, JsonObject } from "./json.ts";
import type { Words } from "./words.ts";

/** Actions as the objects in a line's `actions`, and back. Names are learned on the way. */
export class ActionLines {
  readonly #words: Words;

  constructor(words: Words) {
    this.#words = words;
  }

  write(action: Action): JsonObject {
    if (action.kind === "wake") return { kind: action.kind, at: written(action.at) };
    const { rule, numbers } = action.why;
    const told = Object.entries(numbers).map(
      ([name, value]) => [name, writtenOrText(value)] as const,
    );
    return {
      kind: action.kind,
      ...this.#write(action),
      rule,
      ...(told.length === 0 ? {} : { numbers: Object.fromEntries(told) }),
    };
  }

  read(fields: Fields): Action {
    const kind = fields.oneOf("kind", ACTION_KINDS);
    if (kind === "wake") return { kind, at: instant(fields.number("at")) };
    const told = fields.has("numbers") ? fields.fields("numbers").entries() : [];
    const numbers = told.map(([name, value]) => [name, numberOrText(value, fields)] as const);
    const why = { rule: fields.text("rule"), numbers: Object.fromEntries(numbers) };
    return this.#read(kind, fields, why);
  }

  #write(action: Exclude<Action, { kind: "wake" }>): JsonObject {
    const words = this.#words;
    const { names } = words;
    switch (action.kind) {
      case "launch":
        names.addAttempt(action.attempt, action.task, action.node);
        return {
          attempt: names.attempt(action.attempt),
          as: action.as,
          node: names.node(action.node),
          slot: words.slotKind(action.slot),
          ...(action.request === undefined ? {} : { request: words.request(action.request) }),
        };
      case "request":
        return {
          request: words.request(action.request),
          task: names.task(action.task),
          as: action.as,
          where: this.#where(action.where),
        };
      case "withdraw":
        return { request: words.request(action.request) };
      case "kill":
        return { attempt: names.attempt(action.attempt), then: action.then };
      case "recompute":
        return { task: names.task(action.task) };
      case "replicate":
        return { task: names.task(action.task), to: words.rack(action.to) };
      case "prefer":
        return {
          task: names.task(action.task),
          nodes: action.nodes.map((node) => names.node(node)),
          racks: action.racks.map((rack) => words.rack(rack)),
        };
      case "declare-lost":
        return { node: names.node(action.node) };
      case "end-job":
        return { job: names.job(action.job), outcome: action.outcome };
      case "pass":
        return action.task === undefined ? {} : { task: names.task(action.task) };
      default:
        return never(action);
    }
  }

  #where(where: Where): Json {
    if (where.on === "any") return where.on;
    return { [where.on]: where.nodes.map((node) => this.#words.names.node(node)) };
  }

  #read(kind: Exclude<Action["kind"], "wake">, fields: Fields, why: Why): Action {
    const words = this.#words;
    switch (kind) {
      case "launch":
        return this.#readLaunch(fields, why);
      case "request":
        return {
          kind,
          request: words.readRequest(fields, "request"),
          task: words.readTask(fields, "task"),
          as: fields.oneOf("as", ATTEMPT_KINDS),
          where: this.#readWhere(fields),
          why,
        };
      case "withdraw":
        return { kind, request: words.readRequest(fields, "request"), why };
      case "kill": {
        const attempt = words.readAttempt(fields, "attempt");
        return { kind, attempt, then: fields.oneOf("then", KILL_THEN), why };
      }
      case "recompute":
        return { kind, task: words.readTask(fields, "task"), why };
      case "replicate":
        return {
          kind,
          task: words.readTask(fields, "task"),
          to: words.readRack(fields, "to"),
          why,
        };
      case "prefer": {
        const nodes = words.readNodes(fields, "nodes");
        const racks = words.readRacks(fields, "racks");
        return { kind, task: words.readTask(fields, "task"), nodes, racks, why };
      }
      case "declare-lost":
        return { kind, node: words.readNode(fields, "node"), why };
      case "end-job": {
        const job = words.readJob(fields, "job");
        return { kind, job, outcome: fields.oneOf("outcome", OUTCOMES), why };
      }
      case "pass":
        return fields.has("task")
          ? { kind, task: words.readTask(fields, "task"), why }
          : { kind, why };
      default:
        return never(kind);
    }
  }

  #readLaunch(fields: Fields, why: Why): Action {
    const words = this.#words;
    const { id, task } = words.readNewAttempt(fields, "attempt");
    const node = words.readNode(fields, "node");
    words.names.addAttempt(id, task, node);
    return {
      kind: "launch",
      attempt: id,
      task,
      as: fields.oneOf("as", ATTEMPT_KINDS),
      node,
      slot: words.readSlotKind(fields, "slot"),
      ...(fields.has("request") ? { request: words.readRequest(fields, "request") } : {}),
      why,
    };
  }

  #readWhere(fields: Fields): Where {
    if (fields.find("where") === "any") return { on: "any" };
    const where = fields.fields("where");
    const on = where.has("only") ? "only" : "all-but";
    return { on, nodes: this.#words.readNodes(where, on) };
  }
}

const ACTION_KINDS: readonly Action["kind"][] = [
  "launch",
  "request",
  "withdraw",
  "kill",
  "recompute",
  "replicate",
  "prefer",
  "declare-lost",
  "end-job",
  "wake",
  "pass",
];
const KILL_THEN: readonly KillThen[] = ["restart", "requeue", "nothing"];
const OUTCOMES: readonly JobOutcome[] = ["succeeded", "failed", "killed"];

const writtenOrText = (value: number | string): number | string =>
  typeof value === "number" ? written(value) : value;

function numberOrText(value: Json, fields: Fields): number | string {
  const number = numberFrom(value);
  if (number !== undefined) return number;
  return typeof value === "string" ? value : fields.fail("numbers", "numbers and strings by name");
}
