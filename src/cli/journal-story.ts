import { type Journal, type Names, parseJournal } from "../core/journal/index.ts";
import type { Action } from "../model/action.ts";
import type { ClusterEvent } from "../model/event.ts";
import type { AttemptId } from "../model/ids.ts";
import { whyText } from "./why-text.ts";

/**
 * What a journal tells: counts of all actions, and one deed for each that is not the usual course.
 */
export interface JournalStory {
  readonly discipline: string;
  /** Jobs that had not ended when the journal did. */
  readonly live: number;
  /** Launches are counted by the kind of their attempt. */
  readonly actions: Readonly<Record<string, number>>;
  /** Refusals by their rule; empty unless the journal was written with explanations. */
  readonly passes: Readonly<Record<string, number>>;
  readonly deeds: readonly Deed[];
}

/** Something speculated, killed, failed or lost. */
export interface Deed {
  /** Milliseconds since the host's start. */
  readonly at: number;
  readonly what: string;
  readonly who: string;
  readonly where: string;
  readonly why: string;
}

/** `given`: what the host calls jobs, tasks and attempts, where the journal's own names differ. */
export function storyOf(
  lines: Iterable<string>,
  place: string,
  given?: Omit<TellerNames, "node">,
): JournalStory {
  const journal = parseJournal(lines, place);
  const { names } = journal;
  const teller = new Teller(given ? { ...given, node: (id) => names.node(id) } : names);
  for (const entry of journal.entries) {
    if (entry.kind === "step") teller.step(entry.event, entry.actions);
  }
  return {
    discipline: disciplineText(journal),
    live: teller.live,
    actions: Object.fromEntries(teller.actions),
    passes: Object.fromEntries(teller.passes),
    deeds: teller.deeds,
  };
}

type TellerNames = Pick<Names, "job" | "task" | "attempt" | "node">;

class Teller {
  readonly actions = new Map<string, number>();
  readonly passes = new Map<string, number>();
  readonly deeds: Deed[] = [];
  live = 0;
  readonly #names: TellerNames;
  readonly #nodeOf = new Map<AttemptId, string>();
  readonly #launched = new Set<AttemptId>();

  constructor(names: TellerNames) {
    this.#names = names;
  }

  /** Names are asked for while the step is the latest: ended jobs are forgotten. */
  step(event: ClusterEvent, actions: readonly Action[]): void {
    if (event.kind === "job-submitted") this.live += 1;
    this.#tellEvent(event);
    for (const action of actions) {
      count(this.actions, action.kind === "launch" ? `launch ${action.as}` : action.kind);
      if (action.kind === "end-job") this.live -= 1;
      if (action.kind === "pass") count(this.passes, action.why.rule);
      this.#tellAction(event.at, action);
    }
  }

  #tellEvent(event: ClusterEvent): void {
    const names = this.#names;
    const { at } = event;
    switch (event.kind) {
      case "attempt-started":
        this.#nodeOf.set(event.attempt, names.node(event.node));
        // Where the host launches by itself, nobody has told of it yet.
        if (event.request === undefined || this.#launched.has(event.attempt)) break;
        this.#tell({ at, what: event.as, ...this.#attempt(event.attempt), why: "as requested" });
        break;
      case "node-silent":
        this.#tell({ at, what: "silent", where: names.node(event.node) });
        break;
      case "attempt-failed":
        this.#tell({ at, what: "failed", ...this.#attempt(event.attempt), why: event.cause });
        break;
      case "attempt-killed":
        if (event.by === "us") break;
        this.#tell({ at, what: "killed", ...this.#attempt(event.attempt), why: event.by });
        break;
      case "output-lost": {
        const [who, where] = [names.task(event.task), names.node(event.node)];
        this.#tell({ at, what: "output lost", who, where, why: "told by the host" });
        break;
      }
      default:
    }
  }

  #tellAction(at: number, action: Action): void {
    const names = this.#names;
    const why = "why" in action ? whyText(action.why) : "";
    switch (action.kind) {
      case "launch": {
        const where = names.node(action.node);
        this.#nodeOf.set(action.attempt, where);
        if (action.request !== undefined) this.#launched.add(action.attempt);
        if (action.as === "original") break;
        this.#tell({ at, what: action.as, who: names.attempt(action.attempt), where, why });
        break;
      }
      case "request":
        this.#tell({ at, what: `request, ${action.as}`, who: names.task(action.task), why });
        break;
      case "kill":
        this.#tell({ at, what: `kill, ${action.then}`, ...this.#attempt(action.attempt), why });
        break;
      case "recompute":
        this.#tell({ at, what: "recompute", who: names.task(action.task), why });
        break;
      case "declare-lost":
        this.#tell({ at, what: "node lost", where: names.node(action.node), why });
        break;
      case "end-job":
        this.#tell({ at, what: `job ${action.outcome}`, who: names.job(action.job), why });
        break;
      default:
    }
  }

  #attempt(id: AttemptId): { readonly who: string; readonly where: string } {
    return { who: this.#names.attempt(id), where: this.#nodeOf.get(id) ?? "" };
  }

  #tell(deed: Partial<Deed> & Pick<Deed, "at" | "what">): void {
    this.deeds.push({ who: "", where: "", why: "", ...deed });
  }
}

function disciplineText({ setup: { discipline } }: Journal): string {
  const { name, sharing, order, speculation, data, estimator, detection } = discipline;
  const seats = [sharing, order, speculation, ...data, estimator, detection];
  return `${name} (${seats.map(({ policy }) => policy).join(", ")})`;
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}
