import { oneLine } from "../../base/printable.ts";
import type { Names } from "../../core/journal/index.ts";
import type { AttemptFold } from "../../history/attempts.ts";
import type { Action } from "../../model/action.ts";
import type { ClusterEvent } from "../../model/event.ts";
import type { Fact, FactAttempt } from "../../model/fact.ts";
import type { AttemptId, NodeId, TaskId } from "../../model/ids.ts";
import type { Why } from "../../model/why.ts";
import { KILL_WORDS } from "../kill-words.ts";
import { whyText } from "../why-text.ts";
import type { AttemptTable, Decision, NodeSpan, Refusal } from "./document.ts";

type OpenSpan = Omit<NodeSpan, "node" | "to"> & { readonly name: string; to?: number };
type Open<T> = { -readonly [key in keyof T]: T[key] };

/** An attempt by its id, and as a page has it: its phase by number over all jobs. */
interface AttemptPlace {
  readonly id: AttemptId;
  readonly phase: number;
  readonly task: number;
  readonly ordinal: number;
}

/** A decision and its attempt. */
interface Decided {
  readonly decision: Decision;
  readonly place: AttemptPlace | undefined;
}

/** A step of a journal, and the names that the journal uses. */
export interface JournalStep {
  readonly event: ClusterEvent;
  readonly actions: readonly Action[];
  readonly facts: readonly Fact[];
  readonly names: Names;
}

/** A refusal that recurs within this many questions to the policy counts as the same one. */
const ASKINGS = 2;

/**
 * The contents of a journal besides its attempts: decisions, refusals, and what happened to nodes.
 */
export class RunLog {
  firstLaunches = 0;
  /** Refusals are unknown. */
  lacksRefusals = false;
  readonly #attempts: AttemptFold;
  readonly #decisions: Decided[] = [];
  readonly #refusals: Open<Refusal>[] = [];
  /** The latest refusal of each kind. */
  readonly #latest = new Map<string, { readonly n: number; asked: number }>();
  /** Refusals that `takeRefused` has not returned yet. */
  readonly #refused = new Set<number>();
  readonly #spans: OpenSpan[] = [];
  readonly #silent = new Map<string, OpenSpan>();
  /** The number of times that a span began or ended. */
  #spanChanges = 0;
  #asked = 0;

  /** `attempts`: the fold that takes each fact before this one. */
  constructor(attempts: AttemptFold) {
    this.#attempts = attempts;
  }

  /** Takes the reasons why nothing was done, if the core explains. */
  ask({ actions, event, names }: Omit<JournalStep, "facts">): void {
    const passes = actions.filter((action) => action.kind === "pass");
    if (passes.length > 0) this.#asked += 1;
    for (const { task, why } of passes) this.#pass(task, why, event.at, names);
  }

  /** A fault that the host caused, in the host's words; the returned function ends it. */
  fault(name: string, what: Pick<NodeSpan, "text" | "fault">, from: number): (at: number) => void {
    const span: OpenSpan = { name, ...what, what: "fault", from };
    this.#addSpan(span);
    return (at) => {
      span.to = at;
      this.#spanChanges += 1;
    };
  }

  decisions(table: AttemptTable, from: number): readonly Decision[] {
    const rows = new Map<string, number>();
    for (let i = 0; i < table.length; i++) {
      rows.set(`${table.phase[i]} ${table.task[i]} ${table.ordinal[i]}`, i);
    }
    return this.#decisions.map(({ decision, place }): Decision => {
      const key = place === undefined ? "" : `${place.phase} ${place.task} ${place.ordinal}`;
      return { ...decision, at: decision.at - from, attempt: rows.get(key) ?? -1 };
    });
  }

  get decided(): number {
    return this.#decisions.length;
  }

  /** The n-th decision. Its attempt is the id of one, not a row. */
  decision(n: number, from: number): Decision | undefined {
    const known = this.#decisions[n];
    if (known === undefined) return undefined;
    const { decision, place } = known;
    return { ...decision, at: decision.at - from, attempt: place?.id ?? -1 };
  }

  /** The refusals that began or continued since the last call, by their numbers. */
  takeRefused(): readonly number[] {
    const numbers = [...this.#refused];
    this.#refused.clear();
    return numbers;
  }

  refusal(n: number, from: number): Refusal | undefined {
    const one = this.#refusals[n];
    return one === undefined ? undefined : { ...one, from: one.from - from, to: one.to - from };
  }

  refusals(from: number): readonly Refusal[] {
    return this.#refusals.map((one) => ({ ...one, from: one.from - from, to: one.to - from }));
  }

  spans(nodes: ReadonlyMap<string, number>, from: number, endsAt: number): readonly NodeSpan[] {
    return this.#spans.map(({ name, to = endsAt, ...span }) => ({
      ...span,
      node: nodes.get(name) ?? -1,
      from: span.from - from,
      to: to - from,
    }));
  }

  get spanChanges(): number {
    return this.#spanChanges;
  }

  #pass(task: TaskId | undefined, { rule, numbers }: Why, at: number, names: Names): void {
    const who = task === undefined ? "" : oneLine(names.task(task));
    const key = `${rule} ${who}`;
    const known = this.#latest.get(key);
    const row = known === undefined ? undefined : this.#refusals[known.n];
    if (known !== undefined && row !== undefined && this.#asked - known.asked <= ASKINGS) {
      known.asked = this.#asked;
      row.to = at;
      row.count += 1;
      row.numbers = numbers;
      row.text = whyText({ rule, numbers });
      this.#refused.add(known.n);
      return;
    }
    const text = whyText({ rule, numbers });
    const n = this.#refusals.length;
    this.#refusals.push({ from: at, to: at, count: 1, who, where: "", rule, numbers, text });
    this.#refused.add(n);
    this.#latest.set(key, { n, asked: this.#asked });
  }

  apply(fact: Fact, names: Names): void {
    switch (fact.kind) {
      case "job-ended":
        this.#decide(fact.at, `job ${fact.outcome}`, names.job(fact.job), fact.why);
        return;
      case "attempt-launched":
        this.#launch(fact, names);
        return;
      case "attempt-dying":
        this.#decideOn(fact, KILL_WORDS[fact.then], fact.why, names);
        return;
      case "request-made":
        this.#decide(fact.at, `ask for a ${fact.as}`, names.task(fact.task), fact.why);
        return;
      case "task-reopened":
        this.#decide(fact.at, "recompute", names.task(fact.task), fact.why);
        return;
      case "node-silent":
        this.#silence(names.node(fact.node), fact.since);
        return;
      case "node-heard":
        this.#heard(fact.node, fact.at, names);
        return;
      case "node-lost": {
        const where = names.node(fact.node);
        this.#heard(fact.node, fact.at, names);
        this.#addSpan({ name: oneLine(where), what: "lost", from: fact.at, text: "lost" });
        const why = fact.why ?? { rule: "reported-lost", numbers: {} };
        this.#decide(fact.at, "declare lost", where, why, { where });
        return;
      }
      case "node-joined":
        // A node that comes back has been silent until now.
        this.#heard(fact.node.id, fact.at, names);
        for (const span of this.#spans) {
          if (span.name !== oneLine(fact.node.name) || span.what !== "lost") continue;
          span.to ??= fact.at;
          this.#spanChanges += 1;
        }
        return;
      default:
    }
  }

  #launch(fact: Extract<Fact, { kind: "attempt-launched" }>, names: Names): void {
    if (fact.as === "original") {
      this.firstLaunches += 1;
      return;
    }
    const why = fact.why ?? { rule: "as-requested", numbers: {} };
    this.#decideOn(fact, fact.as, why, names);
  }

  /** A decision about an attempt that holds a slot. */
  #decideOn(fact: Extract<Fact, FactAttempt>, what: string, why: Why, names: Names): void {
    const { id, task, ordinal } = this.#attempts.open(fact.attempt);
    const place = { id, phase: task.of.firstPhase + task.phase, task: task.index, ordinal };
    const where = names.node(fact.node);
    this.#decide(fact.at, what, names.attempt(id), why, { place, where });
  }

  #decide(
    at: number,
    what: string,
    who: string,
    { rule, numbers }: Why,
    { place, where = "" }: { readonly place?: AttemptPlace; readonly where?: string } = {},
  ): void {
    const text = whyText({ rule, numbers });
    const shown = { who: oneLine(who), where: oneLine(where) };
    const decision = { at, what, attempt: -1, ...shown, rule, numbers, text };
    this.#decisions.push({ decision, place });
  }

  #addSpan(span: OpenSpan): void {
    this.#spans.push(span);
    this.#spanChanges += 1;
  }

  #silence(name: string, from: number): void {
    const span: OpenSpan = { name: oneLine(name), what: "silent", from, text: "silent" };
    this.#addSpan(span);
    this.#silent.set(name, span);
  }

  #heard(node: NodeId, at: number, names: Names): void {
    const name = names.node(node);
    const span = this.#silent.get(name);
    if (span === undefined) return;
    span.to = at;
    this.#spanChanges += 1;
    this.#silent.delete(name);
  }
}
