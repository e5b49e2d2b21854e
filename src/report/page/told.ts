import type { Names } from "../../core/journal/index.ts";
import type { Action } from "../../model/action.ts";
import type { ClusterEvent } from "../../model/event.ts";
import type { Fact, FactAttempt } from "../../model/fact.ts";
import type { AttemptId, NodeId, TaskId } from "../../model/ids.ts";
import type { Job } from "../../model/job.ts";
import type { Why } from "../../model/why.ts";
import { whyText } from "../why-text.ts";
import type { AttemptTable, Decision, NodeSpan, Refusal } from "./document.ts";

type OpenSpan = Omit<NodeSpan, "node" | "to"> & { readonly name: string; to?: number };
type Open<T> = { -readonly [key in keyof T]: T[key] };

/** Where an attempt is in a trace: its job and phase by number, its task, its place among those. */
interface Place {
  readonly phase: number;
  readonly task: number;
  readonly ordinal: number;
}

/** A kill, and what becomes of the task. */
const KILLS = {
  restart: "kill to restart",
  requeue: "kill to run again",
  nothing: "kill",
} as const;

/** A refusal is the same one if the policy was asked again within this many askings. */
const ASKINGS = 2;

/** What a journal tells beyond its attempts: decisions, refusals, and what befell nodes. */
export class Told {
  firstLaunches = 0;
  readonly #decisions: (Decision & { readonly id: AttemptId | undefined })[] = [];
  readonly #refusals: Open<Refusal>[] = [];
  /** The latest refusal of each kind. */
  readonly #latest = new Map<string, { readonly row: Open<Refusal>; asked: number }>();
  readonly #spans: OpenSpan[] = [];
  readonly #silent = new Map<string, OpenSpan>();
  readonly #places = new Map<AttemptId, Place>();
  readonly #tasks = new Map<
    TaskId,
    { readonly phase: number; readonly index: number; n: number }
  >();
  #phases = 0;
  #asked = 0;

  /** `actions` hold the reasons why nothing was done, if the core explains. */
  apply(step: {
    readonly event: ClusterEvent;
    readonly actions: readonly Action[];
    readonly facts: readonly Fact[];
    readonly names: Names;
  }): void {
    const { actions, facts, names, event } = step;
    for (const fact of facts) this.#fact(fact, names);
    const passes = actions.filter((action) => action.kind === "pass");
    if (passes.length > 0) this.#asked += 1;
    for (const { task, why } of passes) this.#pass(task, why, event.at, names);
  }

  /** Faults that the host caused, as it tells them. */
  fault(name: string, text: string, from: number, to: number | undefined): void {
    this.#spans.push({ name, what: "fault", from, text, ...(to !== undefined && { to }) });
  }

  decisions(table: AttemptTable, from: number): readonly Decision[] {
    const rows = new Map<string, number>();
    for (let i = 0; i < table.length; i++) {
      rows.set(`${table.phase[i]} ${table.task[i]} ${table.ordinal[i]}`, i);
    }
    return this.#decisions.map(({ id, ...decision }): Decision => {
      const place = id === undefined ? undefined : this.#places.get(id);
      const key = place === undefined ? "" : `${place.phase} ${place.task} ${place.ordinal}`;
      return { ...decision, at: decision.at - from, attempt: rows.get(key) ?? -1 };
    });
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

  #pass(task: TaskId | undefined, { rule, numbers }: Why, at: number, names: Names): void {
    const who = task === undefined ? "" : names.task(task);
    const key = `${rule} ${who}`;
    const known = this.#latest.get(key);
    if (known !== undefined && this.#asked - known.asked <= ASKINGS) {
      known.asked = this.#asked;
      known.row.to = at;
      known.row.count += 1;
      known.row.numbers = numbers;
      known.row.text = whyText({ rule, numbers });
      return;
    }
    const text = whyText({ rule, numbers });
    const row = { from: at, to: at, count: 1, who, where: "", rule, numbers, text };
    this.#refusals.push(row);
    this.#latest.set(key, { row, asked: this.#asked });
  }

  #fact(fact: Fact, names: Names): void {
    switch (fact.kind) {
      case "job-submitted":
        this.#submit(fact.job);
        return;
      case "job-ended":
        this.#decide(fact.at, `job ${fact.outcome}`, names.job(fact.job), fact.why);
        return;
      case "attempt-launched":
        this.#launch(fact, names);
        return;
      case "attempt-dying":
        this.#decide(fact.at, KILLS[fact.then], names.attempt(fact.attempt), fact.why, {
          id: fact.attempt,
          where: names.node(fact.node),
        });
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
        this.#spans.push({ name: where, what: "lost", from: fact.at, text: "lost" });
        const why = fact.why ?? { rule: "reported-lost", numbers: {} };
        this.#decide(fact.at, "declare lost", where, why, { where });
        return;
      }
      case "node-joined":
        for (const span of this.#spans) {
          if (span.name === fact.node.name && span.what === "lost") span.to ??= fact.at;
        }
        return;
      default:
    }
  }

  #submit(job: Job): void {
    for (const [n, { tasks }] of job.phases.entries()) {
      for (const { id, index } of tasks) {
        this.#tasks.set(id, { phase: this.#phases + n, index, n: 0 });
      }
    }
    this.#phases += job.phases.length;
  }

  #launch(fact: Extract<Fact, { kind: "attempt-launched" }>, names: Names): void {
    const task = this.#tasks.get(fact.task);
    if (task !== undefined) {
      this.#places.set(fact.attempt, { phase: task.phase, task: task.index, ordinal: task.n });
      task.n += 1;
    }
    if (fact.as === "original") {
      this.firstLaunches += 1;
      return;
    }
    const why = fact.why ?? { rule: "as-requested", numbers: {} };
    this.#decide(fact.at, fact.as, names.attempt(fact.attempt), why, placeOf(fact, names));
  }

  #decide(
    at: number,
    what: string,
    who: string,
    { rule, numbers }: Why,
    { id, where = "" }: { readonly id?: AttemptId; readonly where?: string } = {},
  ): void {
    const text = whyText({ rule, numbers });
    this.#decisions.push({ at, what, attempt: -1, who, where, rule, numbers, text, id });
  }

  #silence(name: string, from: number): void {
    const span: OpenSpan = { name, what: "silent", from, text: "silent" };
    this.#spans.push(span);
    this.#silent.set(name, span);
  }

  #heard(node: NodeId, at: number, names: Names): void {
    const name = names.node(node);
    const span = this.#silent.get(name);
    if (span !== undefined) span.to = at;
    this.#silent.delete(name);
  }
}

const placeOf = ({ attempt, node }: FactAttempt, names: Names) => ({
  id: attempt,
  where: names.node(node),
});
