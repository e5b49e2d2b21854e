import { never } from "../base/assert.ts";
import type { Names, ReplayedStep } from "../core/journal/index.ts";
import type { Fact, FactAttempt } from "../model/fact.ts";
import { rule, type Why } from "../model/why.ts";
import type { DisciplineDescription } from "../policy/policy.ts";
import { KILL_WORDS } from "./kill-words.ts";

/** The story of a journal: counts of all actions, and one row for each unusual fact. */
export interface JournalStory {
  readonly discipline: string;
  /** Jobs that had not ended when the journal did. */
  readonly live: number;
  /** Counts by kind of action; launches are counted by the kind of their attempt. */
  readonly actions: Readonly<Record<string, number>>;
  /** Refusals by their rule; empty unless the journal was written with explanations. */
  readonly passes: Readonly<Record<string, number>>;
  readonly rows: readonly StoryRow[];
}

/** A row for a copy, a kill, a failure or a loss. */
export interface StoryRow {
  /** Milliseconds since the host's start. */
  readonly at: number;
  readonly what: string;
  readonly who: string;
  readonly where: string;
  readonly why?: Why;
}

/** The host's names of jobs, tasks and attempts, where they differ from the journal's own. */
export type GivenNames = Pick<Names, "job" | "task" | "attempt">;

/** Gathers a story from the steps of a replay. */
export class StoryBook {
  readonly #actions = new Map<string, number>();
  readonly #passes = new Map<string, number>();
  readonly #rows: StoryRow[] = [];
  readonly #given: GivenNames | undefined;
  #live = 0;

  constructor(given?: GivenNames) {
    this.#given = given;
  }

  apply({ actions, facts, names }: ReplayedStep): void {
    for (const action of actions) {
      count(this.#actions, action.kind === "launch" ? `launch ${action.as}` : action.kind);
      if (action.kind === "pass") count(this.#passes, action.why.rule);
    }
    const of = new DeedsOf(this.#given ?? names, names);
    const isNodeLost = facts.some(({ kind }) => kind === "node-lost");
    for (const fact of facts) {
      if (fact.kind === "job-submitted") this.#live += 1;
      if (fact.kind === "job-ended") this.#live -= 1;
      // One row for the node's loss stands for all of its outputs.
      if (fact.kind === "output-lost" && isNodeLost) continue;
      const row = of.row(fact);
      const empty = { at: fact.at, who: "", where: "" };
      if (row !== undefined) this.#rows.push({ ...empty, ...row });
    }
  }

  story(discipline: DisciplineDescription): JournalStory {
    return {
      discipline: disciplineText(discipline),
      live: this.#live,
      actions: Object.fromEntries(this.#actions),
      passes: Object.fromEntries(this.#passes),
      rows: this.#rows,
    };
  }
}

/** Reasons that are facts of the host rather than decisions of the core. */
const REPORTED_LOST = rule("reported-lost");
const AS_REQUESTED = rule("as-requested");
const LOST_WITH_NODE = rule("lost-with-its-node");
const KILLED_BY_HOST = rule("killed-by-host");

type RowFacts = Partial<StoryRow> & Pick<StoryRow, "what">;

/**
 * Describes facts in the words of a host. Names are looked up in the fact's own step, since ended
 * jobs lose theirs.
 */
class DeedsOf {
  readonly #names: GivenNames;
  readonly #nodes: Pick<Names, "node">;

  constructor(names: GivenNames, nodes: Pick<Names, "node">) {
    this.#names = names;
    this.#nodes = nodes;
  }

  /** The row for a fact; undefined if the fact is usual. */
  row(fact: Fact): RowFacts | undefined {
    const names = this.#names;
    switch (fact.kind) {
      case "node-silent":
        return { what: "silent", where: this.#nodes.node(fact.node) };
      case "node-lost":
        return {
          what: "node lost",
          where: this.#nodes.node(fact.node),
          why: fact.why ?? REPORTED_LOST,
        };
      case "job-ended":
        return {
          what: `job ${fact.outcome}`,
          who: names.job(fact.job),
          why: fact.why,
        };
      case "attempt-launched":
        return this.#launched(fact);
      case "attempt-dying":
        return { what: KILL_WORDS[fact.then], ...this.#attempt(fact), why: fact.why };
      case "attempt-ended":
        return this.#ended(fact);
      case "output-lost": {
        const [who, where] = [names.task(fact.task), this.#nodes.node(fact.node)];
        return { what: "output lost", who, where };
      }
      case "task-reopened":
        return { what: "recompute", who: names.task(fact.task), why: fact.why };
      case "request-made":
        return {
          what: `request, ${fact.as}`,
          who: names.task(fact.task),
          why: fact.why,
        };
      default:
        return undefined;
    }
  }

  #launched(fact: Extract<Fact, { kind: "attempt-launched" }>): RowFacts | undefined {
    const { as, request, why } = fact;
    if (why !== undefined) {
      return as === "original" ? undefined : { what: as, ...this.#attempt(fact), why };
    }
    // The host launches by itself; a launch that the core asked for gets a row.
    if (request === undefined) return undefined;
    return { what: as, ...this.#attempt(fact), why: AS_REQUESTED };
  }

  #ended(fact: Extract<Fact, { kind: "attempt-ended" }>): RowFacts | undefined {
    const { end } = fact;
    switch (end.how) {
      case "failed":
        return {
          what: "failed",
          ...this.#attempt(fact),
          why: { rule: "attempt-failed", numbers: { cause: end.cause } },
        };
      case "lost":
        return { what: "lost", ...this.#attempt(fact), why: LOST_WITH_NODE };
      case "killed":
        // The core's decision to kill has a row already.
        if (end.by === "core") return undefined;
        return { what: "killed", ...this.#attempt(fact), why: KILLED_BY_HOST };
      case "succeeded":
      case "refused":
        return undefined;
      default:
        return never(end);
    }
  }

  #attempt({ attempt, node }: FactAttempt): { readonly who: string; readonly where: string } {
    return { who: this.#names.attempt(attempt), where: this.#nodes.node(node) };
  }
}

function disciplineText(discipline: DisciplineDescription): string {
  const { name, sharing, order, speculation, data, estimator, detection } = discipline;
  const seats = [sharing, order, speculation, ...data, estimator, detection];
  return `${name} (${seats.map(({ policy }) => policy).join(", ")})`;
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}
