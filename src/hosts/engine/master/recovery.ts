import { defined } from "../../../base/assert.ts";
import { InputError } from "../../../base/input-error.ts";
import { parseJournal } from "../../../core/journal/index.ts";
import type { Action } from "../../../model/action.ts";
import type { AttemptEvent, ClusterEvent } from "../../../model/event.ts";
import { type Instant, instant, type NodeId } from "../../../model/ids.ts";
import { rule } from "../../../model/why.ts";
import type { AttemptFailure, WorkResult } from "../messages.ts";
import { wholeLines } from "../whole-lines.ts";
import type { EngineNode } from "./engine-node.ts";
import type { TimedLine } from "./journal-file.ts";
import type { Office } from "./office.ts";
import { noteCopy } from "./replication.ts";

/** Makes the books of a killed master again. */
export interface CatchingUp {
  readonly office: Office;
  /** The time is this from now on. */
  timeIs(at: number): void;
  /** The plan's job is entered, as it was when the core was told of it. */
  enterJob(): void;
  carryOut(action: Action): void;
}

/**
 * Takes each step of the journal again, through a fresh core and through the books: no process is
 * told of it, no file is moved. Returns the time at which the core wanted to be woken next.
 */
export function catchUp(journal: string, master: CatchingUp): readonly Instant[] {
  const { office } = master;
  const texts = function* (): Generator<string> {
    for (const { text } of wholeLines(journal)) yield text;
  };
  const { header, entries } = parseJournal(texts(), journal);
  const { driver } = office;
  check({ journal, line: 1, found: header, expected: driver.header });
  const books = new Books(master);
  const wakes: Instant[] = [];
  let latest = instant(0);
  for (const entry of entries) {
    if (entry.kind === "host") {
      const { host }: { readonly host: TimedLine } = JSON.parse(entry.text);
      master.timeIs(host.at);
      books.hostLine(host);
      continue;
    }
    const { event, line, text } = entry;
    latest = event.at;
    master.timeIs(event.at);
    books.event(event);
    const { actions, line: expected } = driver.again(event);
    check({ journal, line, found: text, expected });
    for (const action of actions) {
      if (action.kind === "wake") wakes.push(action.at);
      else master.carryOut(action);
    }
  }
  return wakes.filter((at) => at > latest);
}

function check(query: {
  readonly journal: string;
  readonly line: number;
  readonly found: string;
  readonly expected: string;
}): void {
  if (query.found === query.expected) return;
  const place = `${query.journal}:${query.line}`;
  const expected = "expected what this version of broomwagon would write; run the job again";
  throw new InputError("bad-journal", place, expected);
}

/** What the news of nodes did to the books, before the core was told. */
class Books {
  readonly #master: CatchingUp;
  readonly #results = new Map<string, WorkResult>();
  readonly #failures = new Map<string, AttemptFailure>();

  constructor(master: CatchingUp) {
    this.#master = master;
  }

  get #office(): Office {
    return this.#master.office;
  }

  hostLine(line: TimedLine): void {
    switch (line.kind) {
      case "output":
        this.#results.set(line.attempt, line.result);
        break;
      case "failure":
        this.#failures.set(line.attempt, line);
        break;
      case "outputs-lost":
        this.#office.loseOutputs(this.#nodeNamed(line.node), line.attempts);
        break;
      case "copied":
        noteCopy(this.#office, this.#nodeNamed(line.node), line);
        break;
      case "node-crashed":
        this.#nodeNamed(line.node).crashes++;
        break;
      default:
    }
  }

  event(event: ClusterEvent): void {
    switch (event.kind) {
      case "job-submitted":
        this.#master.enterJob();
        break;
      case "node-joined":
        this.#joined(this.#node(event.node.id));
        break;
      case "node-silent":
        this.#silent(this.#node(event.node));
        break;
      case "node-heard":
        this.#node(event.node).state = "live";
        break;
      case "attempt-succeeded":
      case "attempt-failed":
      case "attempt-killed":
        this.#ended(event);
        break;
      default:
    }
  }

  #joined(node: EngineNode): void {
    node.state = "live";
    node.joins = false;
    node.held.clear();
    for (const attempt of this.#office.attempts.on(node)) {
      this.#office.end(attempt, { kind: "killed", by: "node-lost", why: CAME_BACK });
    }
  }

  #silent(node: EngineNode): void {
    node.state = "silent";
    for (const attempt of this.#office.attempts.on(node)) {
      const why = attempt.killedFor;
      if (why !== undefined) this.#office.end(attempt, { kind: "killed", by: "us", why });
    }
  }

  #ended(event: Extract<AttemptEvent, { kind: `attempt-${"succeeded" | "failed" | "killed"}` }>) {
    const office = this.#office;
    const attempt = office.attempts.find(event.attempt);
    if (attempt === undefined) return;
    const { name, task, node } = attempt;
    const job = office.jobOf(task.id);
    node.held.delete(attempt.id);
    if (event.kind === "attempt-succeeded") {
      const result = defined(this.#results.get(name), `the output of ${name}`);
      job.tryAccept(attempt, result, "before");
      const { bytes, records } = event.output;
      office.end(attempt, { kind: "succeeded", bytes, records });
      return;
    }
    if (event.kind === "attempt-killed") {
      const why = attempt.killedFor ?? KILLED_BY_HOST;
      office.end(attempt, { kind: "killed", by: event.by, why });
      return;
    }
    const failure = this.#failures.get(name) ?? { cause: event.cause, message: "" };
    job.failed(attempt, failure);
    const { cause, message, place } = failure;
    office.end(attempt, {
      kind: "failed",
      cause,
      message,
      ...(place !== undefined && { place }),
    });
  }

  #node(id: NodeId): EngineNode {
    return defined(this.#office.nodes[id], `node ${id}`);
  }

  #nodeNamed(name: string): EngineNode {
    return defined(
      this.#office.nodes.find((node) => node.name === name),
      `node ${name}`,
    );
  }
}

const CAME_BACK = rule("node-came-back-without-it");
const KILLED_BY_HOST = rule("killed-by-host");
