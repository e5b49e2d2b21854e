import type { Action, Notice } from "../../model/action.ts";
import type { Fact } from "../../model/fact.ts";
import type { Instant } from "../../model/ids.ts";
import type { Numbers, Why } from "../../model/why.ts";
import type { State } from "../state/state.ts";
import type { CoreView } from "../state/view.ts";
import type { Seats } from "./seats.ts";
import type { Wakes } from "./wakes.ts";
import { type FactsWanted, factsWanted, type WantedFacts } from "./wanted-facts.ts";

const NO_ACTIONS: readonly Action[] = [];
const NO_FACTS: readonly Fact[] = [];

/** The outcome of a step. */
export interface StepResult {
  /** The host carries these out in this order. */
  readonly actions: readonly Action[];
  /** The facts of the step; empty unless the scheduler records. */
  readonly facts: readonly Fact[];
}

const NOTHING: StepResult = { actions: NO_ACTIONS, facts: NO_FACTS };

/** The state and services that the parts of the core share. */
export class Core {
  readonly state: State;
  readonly view: CoreView;
  readonly seats: Seats;
  readonly wakes: Wakes;
  readonly explains: boolean;
  /** By kind of fact: whether the caller wants it. No other fact is built. */
  readonly wants: FactsWanted;
  /** Actions of the present step. Most steps have none or one, and allocate nothing larger. */
  actions: readonly Action[] = NO_ACTIONS;
  #open: Action[] = [];
  /** Room for the facts of a step, used again by the next step. */
  readonly #facts: Fact[] = [];
  #factCount = 0;
  /** Notices of jobs that ended in this step, not yet given to the policies. */
  endings: Notice[] = [];

  constructor(
    parts: Pick<Core, "state" | "view" | "seats" | "wakes" | "explains"> & {
      readonly facts: WantedFacts;
    },
  ) {
    this.state = parts.state;
    this.view = parts.view;
    this.seats = parts.seats;
    this.wakes = parts.wakes;
    this.explains = parts.explains;
    this.wants = factsWanted(parts.facts);
  }

  beginStep(): void {
    this.actions = NO_ACTIONS;
    this.#factCount = 0;
  }

  get now(): Instant {
    return this.state.now;
  }

  emit(action: Action): void {
    if (this.actions === NO_ACTIONS) this.#open = [action];
    else this.#open.push(action);
    this.actions = this.#open;
  }

  /** Call only for a kind that the caller wants. */
  record(fact: Fact): void {
    this.#facts[this.#factCount++] = fact;
  }

  /** The outcome of the present step, in lists of its own. Most steps have none. */
  result(): StepResult {
    const { actions } = this;
    if (this.#factCount > 0) return { actions, facts: this.#ownFacts() };
    return actions === NO_ACTIONS ? NOTHING : { actions, facts: NO_FACTS };
  }

  #ownFacts(): readonly Fact[] {
    const [first, second] = this.#facts;
    // A literal list is made in a fraction of the time of a slice, and few steps have more facts.
    if (this.#factCount === 1) return [first!];
    return this.#factCount === 2 ? [first!, second!] : this.#facts.slice(0, this.#factCount);
  }

  /** Check `seats.hearers` first, to save the notice. */
  notify(notice: Notice): void {
    this.seats.tell(notice);
  }

  /** The reason of an action; has numbers only if the scheduler explains. */
  why(plain: Why, numbers: () => Numbers): Why {
    return this.explains ? { rule: plain.rule, numbers: numbers() } : plain;
  }

  pass(rule: string, numbers: () => Numbers): void {
    if (this.explains) this.emit({ kind: "pass", why: { rule, numbers: numbers() } });
  }
}
