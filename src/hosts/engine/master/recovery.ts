import { defined } from "../../../base/assert.ts";
import { InputError } from "../../../base/input-error.ts";
import { Place } from "../../../base/shape.ts";
import { parseJournal } from "../../../core/journal/index.ts";
import type { Action } from "../../../model/action.ts";
import type { AttemptEvent, ClusterEvent } from "../../../model/event.ts";
import { type Instant, instant } from "../../../model/ids.ts";
import type { TimedLine } from "../host-line.ts";
import { readHostLine } from "../host-line-shape.ts";
import type { AttemptFailure, WorkResult } from "../messages.ts";
import { wholeLines } from "../whole-lines.ts";
import type { EngineNode } from "./engine-node.ts";
import type { MasterContext } from "./master-context.ts";
import { noteCopy } from "./replication.ts";

/** The parts of the master that recovery rebuilds. */
export interface CatchingUp {
  readonly context: MasterContext;
  /** Sets the master's time. */
  timeIs(at: number): void;
  /** Enters the plan's job, as the killed master did before the job's event. */
  enterJob(): void;
  carryOut(action: Action): void;
}

/**
 * Takes each step of the journal again through a fresh core and the master's records: no process is
 * told, no file is moved. Returns the times at which the core still wants to be woken.
 */
export function catchUp(journal: string, master: CatchingUp): readonly Instant[] {
  const { context } = master;
  const texts = function* (): Generator<string> {
    for (const { text } of wholeLines(journal)) yield text;
  };
  const { header, entries } = parseJournal(texts(), journal);
  const { driver } = context;
  check({ journal, line: 1, found: header, expected: driver.header });
  const books = new Books(master);
  const wakes: Instant[] = [];
  let latest = instant(0);
  for (const entry of entries) {
    if (entry.kind === "host") {
      const place = new Place("bad-journal", `${journal}:${entry.line}`, "host");
      const host = readHostLine(entry.data, place);
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

/** Applies the nodes' events to the master's state before the core steps. */
class Books {
  readonly #master: CatchingUp;
  readonly #results = new Map<string, WorkResult>();
  readonly #failures = new Map<string, AttemptFailure>();

  constructor(master: CatchingUp) {
    this.#master = master;
  }

  get #context(): MasterContext {
    return this.#master.context;
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
        this.#context.loseOutputs(this.#nodeNamed(line.node), line.attempts);
        break;
      case "copied":
        noteCopy(this.#context, this.#nodeNamed(line.node), line);
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
      case "attempt-succeeded":
      case "attempt-failed":
      case "attempt-killed":
        this.#ended(event);
        break;
      default:
    }
  }

  #ended(event: Extract<AttemptEvent, { kind: `attempt-${"succeeded" | "failed" | "killed"}` }>) {
    const context = this.#context;
    const attempt = context.attempts.find(event.attempt);
    if (attempt === undefined) return;
    const { name, task, node } = attempt;
    node.held.delete(attempt.id);
    if (event.kind === "attempt-succeeded") {
      const result = defined(this.#results.get(name), `the output of ${name}`);
      context.jobOf(task.id).tryAccept(attempt, result, "before");
    } else if (event.kind === "attempt-failed") {
      attempt.failure = this.#failures.get(name) ?? { cause: event.cause, message: "" };
    }
  }

  #nodeNamed(name: string): EngineNode {
    return defined(
      this.#context.nodes.find((node) => node.name === name),
      `node ${name}`,
    );
  }
}
